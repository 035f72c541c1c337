// bernoulli: x in {0, 1}, p(x = 1) = sigmoid(logits).
//
// For values between the two it is a surrogate, because the normaliser of the continuous
// Bernoulli is missing.
#include "libcore/base/index.hpp"
#include "libcore/codec/symbol_vector.hpp"
#include "libcore/det/arrays.hpp"
#include "libcore/det/functions.hpp"
#include "libcore/grad/axes.hpp"
#include "libcore/grad/elementwise.hpp"
#include "libcore/grad/ops_likelihood.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/math/vector_math.hpp"
#include "libcore/model/likelihood_entry.hpp"
#include "libcore/model/natural_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace logpx {
namespace {

constexpr double never = -1e30;  // a logit whose sigmoid is 0, and times 0 as well

// offset(o) = sum softplus(o), mean(o) = sigmoid(o).
class BernoulliForm final : public NaturalForm {
 public:
  explicit BernoulliForm(LevelsOfX levels) : levels_(std::move(levels)) {}

  void find(const Likelihood::HeadValues&, Terms& terms) const override {
    for (std::int64_t s = 0; s < std::ssize(terms.offsets); ++s) {
      const std::span<double> own = terms.means.subspan(at(s * terms.dims), at(terms.dims));
      for (std::size_t d = 0; !levels_.alike() && d < own.size(); ++d)
        if (levels_.at(d) == 1) own[d] = never;
      elementwise::in_blocks(own.size(), [&](std::size_t first, std::size_t n) {
        terms.offsets[at(s)] += softplus_sum(own.subspan(first, n));
      });
    }
  }

 private:
  // Also replaces the logits by their sigmoids: both need only e^-|o|.
  static double softplus_sum(std::span<double> logits) {
    elementwise::Run<double> small, rest;
    const std::span<double> e = std::span(small).first(logits.size()),
                            logs = std::span(rest).first(logits.size());
    for (std::size_t i = 0; i < e.size(); ++i) e[i] = -std::fabs(logits[i]);
    vec::exp(e, e);
    vec::log1p(e, logs);
    const double sum = row_sum(std::ssize(logits), [&](std::int64_t i) {
      return std::max(logits[at(i)], 0.0) + logs[at(i)];
    });
    for (std::size_t i = 0; i < e.size(); ++i) logits[i] = (logits[i] >= 0 ? 1 : e[i]) / (1 + e[i]);
    return sum;
  }

  LevelsOfX levels_;
};

class BernoulliLikelihood final : public Likelihood {
 public:
  using Likelihood::Likelihood;

  [[nodiscard]] Var log_prob(const Target& target, const Heads& heads) const override {
    return bernoulli_log_prob(target.x, possible(heads[0]), 2);
  }
  [[nodiscard]] double mean(const HeadValues& heads, std::size_t dim) const override {
    return is_always_0(dim) ? 0 : det_sigmoid(value_at(heads[0], dim));
  }
  [[nodiscard]] double draw(const HeadValues& heads, std::size_t dim,
                            DrawCursor& draws) const override {
    return draws.uniform() < mean(heads, dim) ? 1 : 0;
  }

  [[nodiscard]] bool is_surrogate() const override { return options().gray; }
  [[nodiscard]] std::optional<Location> location(double mean) const override {
    return Location{.head = 0, .bias = logit_of(mean)};
  }

  [[nodiscard]] std::unique_ptr<codec::SymbolVector> coding(
      ItemHeads heads, const ChannelsFirst& place) const override {
    std::vector<double> p(heads[0].size());
    det::sigmoid(heads[0], p);
    for (std::size_t d = 0; d < p.size(); ++d)
      if (is_always_0(d)) p[d] = 0;
    return symbols_of_p(std::move(p), place);
  }
  [[nodiscard]] std::unique_ptr<codec::SymbolVector> coding_of(ItemHeads heads,
                                                               std::size_t dim) const override {
    std::vector<double> p(heads[0].size());
    if (!is_always_0(dim)) det::sigmoid(heads[0], p);
    const ChannelsFirst place = as_they_are(p.size());
    return symbols_of_p(std::move(p), place);
  }

  [[nodiscard]] std::unique_ptr<LikelihoodPairs> pairs(std::int64_t dims) const override {
    return natural_pairs(std::make_unique<BernoulliForm>(values()), dims);
  }

 protected:
  [[nodiscard]] std::vector<HeadForm> forms() const override { return {{.name = "logits"}}; }
  [[nodiscard]] bool allows(float value, std::int64_t levels) const override {
    return options().gray ? value >= 0 && value <= 1 : Likelihood::allows(value, levels);
  }
  [[nodiscard]] std::string allowed(std::int64_t levels) const override {
    return options().gray ? "numbers from 0 to 1" : Likelihood::allowed(levels);
  }

 private:
  // True for a column of a single word.
  [[nodiscard]] bool is_always_0(std::size_t dim) const { return values().at(dim) == 1; }
  // Logits [...,D], with -1e30 for dimensions that are always 0.
  [[nodiscard]] Var possible(Var logits) const {
    if (values().alike()) return logits;
    const std::int64_t dims = logits.shape().back();
    Tensor<double> kept({dims}), others({dims});
    for (std::int64_t d = 0; d < dims; ++d) {
      kept[d] = is_always_0(at(d)) ? 0 : 1;
      others[d] = is_always_0(at(d)) ? never : 0;
    }
    Graph& graph = logits.graph();
    return logits * graph.constant(kept) + graph.constant(others);
  }
  static std::unique_ptr<codec::SymbolVector> symbols_of_p(std::vector<double> p,
                                                           const ChannelsFirst& place) {
    return codec::symbols_of([p = std::move(p), place](std::size_t i, auto) {
      return codec::Bernoulli(p[place(i)], coding_precision);
    });
  }
};

}  // namespace

namespace likelihoods {

LikelihoodEntry bernoulli() {
  return likelihood_entry<BernoulliLikelihood>("bernoulli", ValuesOfX::bits, "bits");
}

}  // namespace likelihoods
}  // namespace logpx
