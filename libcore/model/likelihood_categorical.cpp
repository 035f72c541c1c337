// categorical: whole x under the softmax of as many logits as there are levels; a dimension with
// fewer values uses the first of them.
#include "libcore/base/index.hpp"
#include "libcore/codec/symbol_vector.hpp"
#include "libcore/codec/tables.hpp"
#include "libcore/det/reductions.hpp"
#include "libcore/grad/ops_likelihood.hpp"
#include "libcore/grad/ops_reduce.hpp"
#include "libcore/model/likelihood_entry.hpp"
#include "libcore/model/likelihood_pairs.hpp"

#include <algorithm>
#include <optional>

namespace logpx {
namespace {

class CategoricalLikelihood final : public Likelihood {
 public:
  using Likelihood::Likelihood;

  [[nodiscard]] bool takes_index() const override { return true; }
  [[nodiscard]] Var log_prob(const Target& target, const Heads& heads) const override {
    const Var each = categorical_log_prob(heads[0], *target.index, mask(heads[0].graph()));
    return sum(each, over_trailing(each, 2));
  }
  [[nodiscard]] double mean(const HeadValues& heads, std::size_t dim) const override {
    const std::vector<double> weights = running_weights(logits_of(heads, dim));
    double total = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const double weight = (weights[i] - (i == 0 ? 0 : weights[i - 1])) / weights.back();
      total += weight * static_cast<double>(i);
    }
    return total;
  }
  [[nodiscard]] double draw(const HeadValues& heads, std::size_t dim,
                            DrawCursor& draws) const override {
    return static_cast<double>(draws.categorical(running_weights(logits_of(heads, dim))));
  }

  [[nodiscard]] std::unique_ptr<codec::SymbolVector> coding(
      ItemHeads heads, const ChannelsFirst& place) const override {
    return symbols_by(std::move(heads), place,
                      [this](std::size_t dim) { return at(values().at(dim)); });
  }
  [[nodiscard]] std::unique_ptr<codec::SymbolVector> coding_of(ItemHeads heads,
                                                               std::size_t dim) const override {
    const ChannelsFirst place = as_they_are(heads[0].size() / at(levels()));
    return symbols_by(std::move(heads), place,
                      [own = at(values().at(dim))](std::size_t) { return own; });
  }

  [[nodiscard]] std::unique_ptr<LikelihoodPairs> pairs(std::int64_t dims) const override {
    return categorical_pairs(dims, values());
  }

 protected:
  [[nodiscard]] std::vector<HeadForm> forms() const override {
    return {{.name = "logits", .per_dim = levels()}};
  }

 private:
  [[nodiscard]] std::span<const float> logits_of(const HeadValues& heads, std::size_t dim) const {
    return heads[0].subspan(dim * at(levels()), at(values().at(dim)));
  }
  // [D, levels], 1 for each logit that counts; nothing if all do.
  [[nodiscard]] std::optional<Var> mask(Graph& graph) const {
    if (values().alike()) return std::nullopt;
    Tensor<double> counts({values().dims(), levels()});
    for (std::int64_t d = 0; d < values().dims(); ++d)
      for (std::int64_t c = 0; c < values().at(at(d)); ++c) counts[d * levels() + c] = 1;
    return graph.constant(counts);
  }
  // `counted` says how many logits of a place count; a coder has room for all.
  template <typename Counted>
  [[nodiscard]] std::unique_ptr<codec::SymbolVector> symbols_by(ItemHeads heads,
                                                                const ChannelsFirst& place,
                                                                Counted counted) const {
    const std::size_t k = at(levels());
    return codec::symbols_of([
      heads = std::move(heads), place, k, counted, weights = std::vector<double>(k),
      table = codec::Table()
    ](std::size_t i, auto) mutable -> const auto& {
      const std::span<double> own = std::span(weights).first(counted(place(i)));
      std::ranges::copy(std::span(heads[0]).subspan(place(i) * k, own.size()), own.begin());
      det::softmax(own, own);
      std::ranges::fill(std::span(weights).subspan(own.size()), 0.0);
      table.assign_leaky(weights, coding_precision);
      return table;
    });
  }
};

}  // namespace

namespace likelihoods {

LikelihoodEntry categorical() {
  return likelihood_entry<CategoricalLikelihood>(
      "categorical", ValuesOfX::levels,
      "whole numbers or words, each with a probability of its own");
}

}  // namespace likelihoods
}  // namespace logpx
