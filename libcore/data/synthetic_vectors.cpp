// Generators 5 and 6: gauss and mixture. Densities are of the stored float32 values, in nats.
// [data/README 4.5]
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/data/generator.hpp"
#include "libcore/data/real_vectors.hpp"
#include "libcore/det/functions.hpp"

#include <cmath>
#include <limits>

namespace logpx {
namespace {

constexpr double ln_2pi = 0x1.d67f1c864beb5p+0;

// -1/2 (D ln 2 pi + ln det + quadratic form)
double normal_log_density(std::int64_t dim, double log_det, double quadratic) {
  return -0.5 * (static_cast<double>(dim) * ln_2pi + log_det + quadratic);
}

class Gauss : public Generator {
 protected:
  Gauss(std::int64_t dim, double log_det) : dim_(dim), log_det_(log_det) {
    info_ = real_vectors(dim);
    info_.has_true_logp = true;
    info_.entropy_nats = 0.5 * (static_cast<double>(dim) * (ln_2pi + 1) + log_det);
  }
  std::int64_t dim_;
  double log_det_;
};

// Independent dimensions of given standard deviations.
class DiagonalGauss final : public Gauss {
 public:
  explicit DiagonalGauss(std::vector<double> deviations)
      : Gauss(static_cast<std::int64_t>(deviations.size()), log_det(deviations)),
        deviations_(std::move(deviations)) {}

  void make(ExampleDraws& draws, Example& example) const override {
    for (std::size_t j = 0; j < deviations_.size(); ++j)
      example.reals[j] = static_cast<float>(deviations_[j] * draws.normal());
  }

  [[nodiscard]] double log_p(const Example& example) const override {
    double quadratic = 0;
    for (std::size_t j = 0; j < deviations_.size(); ++j) {
      const double z = example.reals[j] / deviations_[j];
      quadratic += z * z;
    }
    return normal_log_density(dim_, log_det_, quadratic);
  }

 private:
  static double log_det(const std::vector<double>& deviations) {
    double sum = 0;
    for (const double sd : deviations) sum += 2 * det_log(sd);
    return sum;
  }
  std::vector<double> deviations_;
};

// Covariance rho^|i-j|: a stationary first-order autoregression.
class ToeplitzGauss final : public Gauss {
 public:
  ToeplitzGauss(std::int64_t dim, double rho)
      : Gauss(dim, static_cast<double>(dim - 1) * det_log(1 - rho * rho)),
        rho_(rho),
        innovation_(std::sqrt(1 - rho * rho)) {}

  void make(ExampleDraws& draws, Example& example) const override {
    double x = 0;
    for (std::size_t j = 0; j < example.reals.size(); ++j) {
      const double normal = draws.normal();
      x = j == 0 ? normal : rho_ * x + innovation_ * normal;
      example.reals[j] = static_cast<float>(x);
    }
  }

  [[nodiscard]] double log_p(const Example& example) const override {
    double quadratic = 0, last = 0;
    for (std::size_t j = 0; j < example.reals.size(); ++j) {
      const double x = example.reals[j];
      const double z = j == 0 ? x : (x - rho_ * last) / innovation_;
      quadratic += z * z;
      last = x;
    }
    return normal_log_density(dim_, log_det_, quadratic);
  }

 private:
  double rho_, innovation_;
};

// x = W z + sigma e, covariance W W^T + sigma^2 I, by way of the Q x Q matrix M = W^T W + sigma^2
// I: ln det = (D - Q) ln sigma^2 + ln det M, and x^T C^-1 x = (|x|^2 - |L^-1 W^T x|^2) / sigma^2
// with M = L L^T.
class LowRankGauss final : public Gauss {
 public:
  LowRankGauss(std::size_t dim, std::size_t rank, double sigma, DrawCursor structure)
      : Gauss(static_cast<std::int64_t>(dim), 0), rank_(rank), sigma_(sigma), w_(dim * rank) {
    const double scale = 1 / std::sqrt(static_cast<double>(rank));
    for (double& weight : w_) weight = scale * structure.normal();
    factorise(dim);
    log_det_ = 2 * (static_cast<double>(dim) - static_cast<double>(rank)) * det_log(sigma);
    for (std::size_t a = 0; a < rank; ++a) log_det_ += 2 * det_log(lower_[a * rank + a]);
    *info_.entropy_nats += 0.5 * log_det_;
    info_.intrinsic_dim = static_cast<std::int64_t>(rank);
  }

  void make(ExampleDraws& draws, Example& example) const override {
    std::vector<double> z(rank_);
    for (double& value : z) value = draws.normal();
    for (std::size_t j = 0; j < example.reals.size(); ++j) {
      double x = sigma_ * draws.normal();
      for (std::size_t a = 0; a < rank_; ++a) x += w_[j * rank_ + a] * z[a];
      example.reals[j] = static_cast<float>(x);
    }
  }

  [[nodiscard]] double log_p(const Example& example) const override {
    std::vector<double> v(rank_, 0.0);
    double quadratic = 0;
    for (std::size_t j = 0; j < example.reals.size(); ++j) {
      const double x = example.reals[j];
      quadratic += x * x;
      for (std::size_t a = 0; a < rank_; ++a) v[a] += w_[j * rank_ + a] * x;
    }
    for (std::size_t a = 0; a < rank_; ++a) {
      for (std::size_t b = 0; b < a; ++b) v[a] -= lower_[a * rank_ + b] * v[b];
      v[a] /= lower_[a * rank_ + a];
      quadratic -= v[a] * v[a];
    }
    return normal_log_density(dim_, log_det_, quadratic / (sigma_ * sigma_));
  }

 private:
  void factorise(std::size_t dim) {
    lower_.assign(rank_ * rank_, 0.0);
    for (std::size_t a = 0; a < rank_; ++a)
      for (std::size_t b = 0; b <= a; ++b) {
        double sum = a == b ? sigma_ * sigma_ : 0.0;
        for (std::size_t j = 0; j < dim; ++j) sum += w_[j * rank_ + a] * w_[j * rank_ + b];
        for (std::size_t k = 0; k < b; ++k) sum -= lower_[a * rank_ + k] * lower_[b * rank_ + k];
        lower_[a * rank_ + b] = a == b ? std::sqrt(sum) : sum / lower_[b * rank_ + b];
      }
  }

  std::size_t rank_;
  double sigma_;
  std::vector<double> w_, lower_;  // w [dim, rank]; lower [rank, rank]
};

// Equal weights, isotropic components, means sep * normals of the structure.
class Mixture final : public Generator {
 public:
  Mixture(const SyntheticOptions& options, DrawCursor structure)
      : components_(static_cast<std::uint32_t>(*options.components)),
        dim_(static_cast<std::size_t>(*options.dim)),
        sigma_(*options.sigma),
        means_(components_ * dim_) {
    info_ = real_vectors(*options.dim);
    info_.has_labels = info_.has_true_logp = true;
    for (double& mean : means_) mean = *options.sep * structure.normal();
    note_entropy(structure);
  }

  void make(ExampleDraws& draws, Example& example) const override {
    example.label = static_cast<std::int32_t>(draw(draws, example.reals));
  }

  [[nodiscard]] double log_p(const Example& example) const override {
    std::vector<double> logs(components_);
    double greatest = -std::numeric_limits<double>::infinity(), sum = 0;
    for (std::size_t k = 0; k < components_; ++k) {
      double quadratic = 0;
      for (std::size_t j = 0; j < dim_; ++j) {
        const double z = (example.reals[j] - means_[k * dim_ + j]) / sigma_;
        quadratic += z * z;
      }
      logs[k] = -0.5 * quadratic;
      greatest = std::max(greatest, logs[k]);
    }
    for (const double value : logs) sum += det_exp(value - greatest);
    return greatest + det_log(sum / components_) -
           static_cast<double>(dim_) * (0.5 * ln_2pi + det_log(sigma_));
  }

 private:
  std::uint32_t draw(DrawCursor& draws, std::span<float> x) const {
    const std::uint32_t k = draws.below(components_);
    for (std::size_t j = 0; j < dim_; ++j)
      x[j] = static_cast<float>(means_[k * dim_ + j] + sigma_ * draws.normal());
    return k;
  }

  // There is no closed form: a Monte Carlo figure with its error, if it takes only a moment.
  void note_entropy(DrawCursor& structure) {
    constexpr int count = 4096;
    if (means_.size() * count > 100'000'000) return;
    std::vector<float> x(dim_);
    Example example{.bytes = {}, .reals = x, .latent = {}, .label = 0};
    double sum = 0, squares = 0;
    for (int i = 0; i < count; ++i) {
      (void)draw(structure, x);
      const double surprise = -log_p(example);
      sum += surprise;
      squares += surprise * surprise;
    }
    const double mean = sum / count;
    const double error = std::sqrt((squares / count - mean * mean) / count);
    info_.notes.emplace_back("entropy_estimate_nats", to_text(mean));
    info_.notes.emplace_back("entropy_estimate_std_error", to_text(error));
  }

  std::uint32_t components_;
  std::size_t dim_;
  double sigma_;
  std::vector<double> means_;  // [components, dim]
};

std::vector<double> cov_numbers(const std::string& cov, std::size_t count) {
  const std::size_t colon = cov.find(':');
  std::vector<double> numbers;
  if (colon != std::string::npos)
    for (const std::string& part : split_text(cov.substr(colon + 1), ','))
      numbers.push_back(parse_real(part).value_or(std::numeric_limits<double>::quiet_NaN()));
  bool good = numbers.size() == count;
  for (const double number : numbers) good = good && !std::isnan(number);
  if (!good) refuse_option("cov", cov, "iso, diag, toeplitz:RHO or lowrank:Q,SIGMA");
  return numbers;
}

}  // namespace

std::unique_ptr<Generator> make_gauss(const SyntheticOptions& options, std::uint32_t number) {
  const std::string& cov = *options.cov;
  const auto dim = static_cast<std::size_t>(*options.dim);
  const std::string kind = cov.substr(0, cov.find(':'));
  DrawCursor structure = structure_draws(options, number);
  if (kind == "toeplitz") {
    const double rho = cov_numbers(cov, 1)[0];
    if (!(std::fabs(rho) < 1)) refuse_option("cov", cov, "toeplitz:RHO with RHO between -1 and 1");
    return std::make_unique<ToeplitzGauss>(*options.dim, rho);
  }
  if (kind == "lowrank") {
    const std::vector<double> numbers = cov_numbers(cov, 2);
    const double rank = numbers[0], sigma = numbers[1];
    if (!(rank >= 1 && rank <= 1024 && rank == std::floor(rank) && sigma > 0))
      refuse_option("cov", cov, "lowrank:Q,SIGMA with Q from 1 to 1024 and SIGMA above 0");
    return std::make_unique<LowRankGauss>(dim, static_cast<std::size_t>(rank), sigma, structure);
  }
  if (cov != "iso" && cov != "diag") (void)cov_numbers(cov, 99);
  std::vector<double> deviations(dim, 1.0);
  // Standard deviations between 1/4 and 4, evenly in their logarithm.
  if (cov == "diag")
    for (double& sd : deviations) sd = det_exp((2 * structure.uniform() - 1) * det_log(4.0));
  return std::make_unique<DiagonalGauss>(std::move(deviations));
}

std::unique_ptr<Generator> make_mixture(const SyntheticOptions& options, std::uint32_t number) {
  return std::make_unique<Mixture>(options, structure_draws(options, number));
}

}  // namespace logpx
