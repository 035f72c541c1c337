// beta-binomial: whole x in 0..n under Beta(e^log_alpha, e^log_beta).
#include "libcore/base/index.hpp"
#include "libcore/codec/symbol_vector.hpp"
#include "libcore/codec/tables.hpp"
#include "libcore/det/arrays.hpp"
#include "libcore/det/functions.hpp"
#include "libcore/grad/ops_likelihood.hpp"
#include "libcore/math/repeatable.hpp"
#include "libcore/model/likelihood_entry.hpp"

#include <array>

namespace logpx {
namespace {

constexpr double least_log_shape = -6.9, largest_log_shape = 8.3;  // 2^-10 to 2^12

// log p(k) for k = 0..n up to a constant: p(k+1)/p(k) = (n-k)/(k+1) (k+a)/(n-k-1+b).
std::vector<double> beta_binomial_log_weights(double a, double b, std::int64_t n) {
  std::vector<double> weights(at(n) + 1);
  for (std::int64_t k = 0; k < n; ++k) {
    const auto i = static_cast<double>(k), rest = static_cast<double>(n - k);
    weights[at(k) + 1] =
        weights[at(k)] + repeatable_log(rest / (i + 1) * ((i + a) / (rest - 1 + b)));
  }
  return weights;
}

class BetaBinomialLikelihood final : public Likelihood {
 public:
  using Likelihood::Likelihood;

  [[nodiscard]] Var log_prob(const Target& target, const Heads& heads) const override {
    return beta_binomial_log_prob(target.x, heads[0], heads[1], levels() - 1, 2);
  }
  [[nodiscard]] double mean(const HeadValues& heads, std::size_t dim) const override {
    const double a = det_exp(value_at(heads[0], dim)), b = det_exp(value_at(heads[1], dim));
    return top() * a / (a + b);
  }
  [[nodiscard]] double draw(const HeadValues& heads, std::size_t dim,
                            DrawCursor& draws) const override {
    std::vector<double> weights = beta_binomial_log_weights(
        det_exp(value_at(heads[0], dim)), det_exp(value_at(heads[1], dim)), levels() - 1);
    accumulate_log_weights(weights);
    return static_cast<double>(draws.categorical(weights));
  }
  [[nodiscard]] std::optional<Location> location(double mean) const override {
    return Location{.head = 0, .bias = logit_of(mean / top())};
  }

  [[nodiscard]] std::unique_ptr<codec::SymbolVector> coding(
      ItemHeads heads, const ChannelsFirst& place) const override {
    std::array<std::vector<double>, 2> shapes;  // alpha, beta
    for (std::size_t h = 0; h < 2; ++h) {
      shapes[h].assign(heads[h].begin(), heads[h].end());
      det::exp(shapes[h], shapes[h]);
    }
    return codec::symbols_of([
      shapes = std::move(shapes), place, dist = codec::BetaBinomial(at(levels()), coding_precision)
    ](std::size_t i, auto) mutable -> const auto& {
      dist.assign(shapes[0][place(i)], shapes[1][place(i)]);
      return dist;
    });
  }

 protected:
  [[nodiscard]] std::vector<HeadForm> forms() const override {
    return {{.name = "log_alpha", .low = least_log_shape, .high = largest_log_shape},
            {.name = "log_beta", .low = least_log_shape, .high = largest_log_shape}};
  }
};

}  // namespace

namespace likelihoods {

LikelihoodEntry beta_binomial() {
  return likelihood_entry<BetaBinomialLikelihood>(
      "beta-binomial", ValuesOfX::levels, "whole numbers in their order: smooth, one or two peaks");
}

}  // namespace likelihoods
}  // namespace logpx
