// categorical: whole x under the softmax of as many logits as there are levels.
#include "libcore/base/index.hpp"
#include "libcore/codec/symbol_vector.hpp"
#include "libcore/codec/tables.hpp"
#include "libcore/det/reductions.hpp"
#include "libcore/grad/ops_likelihood.hpp"
#include "libcore/grad/ops_reduce.hpp"
#include "libcore/model/likelihood.hpp"
#include "libcore/model/likelihood_pairs.hpp"

#include <algorithm>

namespace logpx {
namespace {

class CategoricalLikelihood final : public Likelihood {
 public:
  using Likelihood::Likelihood;

  [[nodiscard]] bool takes_index() const override { return true; }
  [[nodiscard]] Var log_prob(const Target& target, const Heads& heads) const override {
    const Var each = categorical_log_prob(heads[0], *target.index);
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
    const std::size_t k = at(levels());
    return codec::symbols_of([
      heads = std::move(heads), place, k, weights = std::vector<double>(k), table = codec::Table()
    ](std::size_t i, auto) mutable -> const auto& {
      std::ranges::copy(std::span(heads[0]).subspan(place(i) * k, k), weights.begin());
      det::softmax(weights, weights);
      table.assign_leaky(weights, coding_precision);
      return table;
    });
  }

  [[nodiscard]] std::unique_ptr<LikelihoodPairs> pairs(std::int64_t dims) const override {
    return categorical_pairs(dims, levels());
  }

 protected:
  [[nodiscard]] std::vector<HeadForm> forms() const override {
    return {{.name = "logits", .per_dim = levels()}};
  }

 private:
  [[nodiscard]] std::span<const float> logits_of(const HeadValues& heads, std::size_t dim) const {
    return heads[0].subspan(dim * at(levels()), at(levels()));
  }
};

}  // namespace

namespace likelihoods {

LikelihoodEntry categorical() {
  return likelihood_entry<CategoricalLikelihood>("categorical", ValuesOfX::levels);
}

}  // namespace likelihoods
}  // namespace logpx
