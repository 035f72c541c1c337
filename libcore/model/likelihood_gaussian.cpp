// gaussian: real x around a mean, with a log-variance for every dimension;
// gaussian-fixed: with one for all, given or learned.
#include "libcore/base/index.hpp"
#include "libcore/det/functions.hpp"
#include "libcore/grad/axes.hpp"
#include "libcore/grad/ops_likelihood.hpp"
#include "libcore/model/likelihood_entry.hpp"
#include "libcore/model/natural_pairs.hpp"
#include "libcore/model/observation_deviation.hpp"

namespace logpx {
namespace {

constexpr double largest_log_var_of_x = 10;
constexpr double log_two_pi = 1.8378770664093454836;

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
    return Location{.head = 0, .bias = unsquashed(mean)};
  }

 protected:
  [[nodiscard]] std::vector<HeadForm> forms() const override {
    return {{.name = "mean", .squash = options().squash},
            {.name = "log_var", .low = options().min_log_var, .high = largest_log_var_of_x}};
  }
};

// For one log-variance v: scale e^-v, and offset(m) = (|m|^2 e^-v + D (log 2 pi + v)) / 2.
class GaussianFixedForm final : public NaturalForm {
 public:
  void find(const Likelihood::HeadValues& heads, Terms& terms) const override {
    const auto log_var = static_cast<double>(heads[1][0]);
    terms.scale = det_exp(-log_var);
    terms.square = terms.scale / 2;
    for (std::int64_t s = 0; s < std::ssize(terms.offsets); ++s) {
      const double* const mean = terms.means.data() + s * terms.dims;
      const double squares = row_sum(terms.dims, [=](std::int64_t d) { return mean[d] * mean[d]; });
      terms.offsets[at(s)] =
          terms.square * squares + static_cast<double>(terms.dims) * (log_two_pi + log_var) / 2;
    }
  }
  [[nodiscard]] double shared_slope(const Terms& terms, const Moments& moments) const override {
    return (terms.scale * moments.squares - static_cast<double>(terms.dims) * moments.weight) / 2;
  }
};

class GaussianFixedLikelihood final : public GaussianLikelihood {
 public:
  explicit GaussianFixedLikelihood(const Given& given)
      : GaussianLikelihood(given), forms_(heads_with_one_deviation(given.options)) {}

  [[nodiscard]] std::unique_ptr<LikelihoodPairs> pairs(std::int64_t dims) const override {
    return natural_pairs(std::make_unique<GaussianFixedForm>(), dims);
  }

 protected:
  [[nodiscard]] std::vector<HeadForm> forms() const override { return forms_; }

 private:
  std::vector<HeadForm> forms_;
};

}  // namespace

namespace likelihoods {

LikelihoodEntry gaussian() {
  return likelihood_entry<GaussianLikelihood>(
      "gaussian", ValuesOfX::reals, "real numbers: the network says mean and variance",
      {LikelihoodOption::squash, LikelihoodOption::min_log_var});
}
LikelihoodEntry gaussian_fixed() {
  return likelihood_entry<GaussianFixedLikelihood>(
      "gaussian-fixed", ValuesOfX::reals, "real numbers: one deviation for all, --obs-std",
      {LikelihoodOption::squash, LikelihoodOption::obs_std});
}

}  // namespace likelihoods
}  // namespace logpx
