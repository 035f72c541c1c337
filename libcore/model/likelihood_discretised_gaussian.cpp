// discretised-gaussian: whole x as the cells of a normal on the unit interval, the outer ones with
// the tails. Its mean and its deviation are in units of x / (levels - 1).
#include "libcore/codec/analytic.hpp"
#include "libcore/codec/symbol_vector.hpp"
#include "libcore/det/functions.hpp"
#include "libcore/grad/ops_likelihood.hpp"
#include "libcore/model/likelihood_entry.hpp"
#include "libcore/model/observation_deviation.hpp"

#include <algorithm>
#include <cmath>

namespace logpx {
namespace {

double deviation_of(double log_var) { return det_exp(log_var / 2); }

class DiscretisedGaussianLikelihood final : public Likelihood {
 public:
  explicit DiscretisedGaussianLikelihood(const Given& given)
      : Likelihood(given), forms_(heads_with_one_deviation(given.options)) {}

  [[nodiscard]] Var log_prob(const Target& target, const Heads& heads) const override {
    return discretized_gaussian_log_prob(target.x, heads[0], heads[1], levels(), 2);
  }
  // The sum over k >= 1 of P(X >= k).
  [[nodiscard]] double mean(const HeadValues& heads, std::size_t dim) const override {
    const double middle = value_at(heads[0], dim), deviation = deviation_of(value_at(heads[1], 0));
    double sum = 0;
    for (std::int64_t k = 1; k < levels(); ++k)
      sum += det_ndtr((middle - (static_cast<double>(k) - 0.5) / top()) / deviation);
    return sum;
  }
  [[nodiscard]] double draw(const HeadValues& heads, std::size_t dim,
                            DrawCursor& draws) const override {
    const double deviation = deviation_of(value_at(heads[1], 0));
    const double x = value_at(heads[0], dim) + deviation * draws.normal();
    return std::clamp(std::round(x * top()), 0.0, top());
  }
  [[nodiscard]] std::optional<Location> location(double mean) const override {
    return Location{.head = 0, .bias = unsquashed(mean / top())};
  }

  [[nodiscard]] std::unique_ptr<codec::SymbolVector> coding(
      ItemHeads heads, const ChannelsFirst& place) const override {
    const codec::Cells cells{
        .lo = -0.5 / top(), .h = 1 / top(), .n = static_cast<std::uint32_t>(levels())};
    const double deviation = deviation_of(static_cast<double>(heads[1][0]));
    return codec::symbols_of(
        [means = std::move(heads[0]), place, cells, deviation](std::size_t i, auto) {
          const codec::Normal normal{static_cast<double>(means[place(i)]), deviation};
          return codec::Analytic(cells, normal, coding_precision);
        });
  }

 protected:
  [[nodiscard]] std::vector<HeadForm> forms() const override { return forms_; }

 private:
  std::vector<HeadForm> forms_;
};

}  // namespace

namespace likelihoods {

LikelihoodEntry discretised_gaussian() {
  return likelihood_entry<DiscretisedGaussianLikelihood>(
      "discretised-gaussian", ValuesOfX::levels,
      "whole numbers in their order: a Gaussian over their cells",
      {LikelihoodOption::squash, LikelihoodOption::obs_std});
}

}  // namespace likelihoods
}  // namespace logpx
