// gaussian: real x around a mean, with a log-variance for every dimension;
// gaussian-fixed: with one for all, given or learned.
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/det/functions.hpp"
#include "libcore/grad/ops_likelihood.hpp"
#include "libcore/model/likelihood.hpp"

#include <cmath>

namespace logpx {
namespace {

constexpr double largest_log_var_of_x = 10;

class GaussianLikelihood : public Likelihood {
 public:
  using Likelihood::Likelihood;

  [[nodiscard]] Var log_prob(const Target& target, const Heads& heads) const override {
    return gaussian_log_prob(target.x, heads[0], heads[1], 2);
  }
  [[nodiscard]] double mean(const HeadValues& heads, std::size_t dim) const override {
    return value_at(heads[0], dim);
  }
  [[nodiscard]] double draw(const HeadValues& heads, std::size_t dim,
                            DrawCursor& draws) const override {
    const std::size_t own = heads[1].size() == 1 ? 0 : dim;
    const double deviation = det_exp(value_at(heads[1], own) / 2);
    return mean(heads, dim) + deviation * draws.normal();
  }
  [[nodiscard]] std::optional<Location> location(double mean) const override {
    return Location{.head = 0, .bias = options().squash_mean ? logit_of(mean) : mean};
  }

 protected:
  [[nodiscard]] std::vector<HeadForm> forms() const override {
    return {{.name = "mean", .squashed = options().squash_mean},
            {.name = "log_var", .low = options().min_log_var, .high = largest_log_var_of_x}};
  }
};

class GaussianFixedLikelihood final : public GaussianLikelihood {
 public:
  explicit GaussianFixedLikelihood(const Given& given)
      : GaussianLikelihood(given), log_var_(log_var_of(given.options.obs_std)) {}

 protected:
  [[nodiscard]] std::vector<HeadForm> forms() const override {
    return {{.name = "mean", .squashed = options().squash_mean},
            {.name = "log_var", .shared = true, .value = log_var_}};
  }

 private:
  // Empty: learned.
  static std::optional<double> log_var_of(const std::string& obs_std) {
    if (obs_std == "learn") return std::nullopt;
    const auto deviation = parse_real(obs_std);
    if (!deviation || !(*deviation > 0) || !std::isfinite(*deviation))
      fail(ErrorKind::usage, "--obs-std",
           "is " + obs_std + ", expected a positive number or learn");
    return 2 * det_log(*deviation);
  }

  std::optional<double> log_var_;
};

}  // namespace

namespace likelihoods {

LikelihoodEntry gaussian() {
  return likelihood_entry<GaussianLikelihood>("gaussian", ValuesOfX::reals);
}
LikelihoodEntry gaussian_fixed() {
  return likelihood_entry<GaussianFixedLikelihood>("gaussian-fixed", ValuesOfX::reals);
}

}  // namespace likelihoods
}  // namespace logpx
