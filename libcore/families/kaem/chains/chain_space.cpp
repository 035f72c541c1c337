#include "libcore/families/kaem/chains/chain_space.hpp"

#include "libcore/base/error.hpp"
#include "libcore/det/functions.hpp"
#include "libcore/families/kaem/prior/prior_density.hpp"

#include <algorithm>

namespace logpx::kaem {
namespace {

class LatentSpace final : public ChainSpace {
 public:
  LatentSpace(const PriorValues& values, std::span<const double> log_z)
      : form_(values.form), density_(values, log_z) {}
  [[nodiscard]] std::int64_t dims() const override { return form_.z_dims(); }
  void to_z(std::span<const double> c, std::span<double> z) override {
    std::ranges::copy(c, z.begin());
  }
  void log_prior(std::span<const double> c, std::span<double> log_p,
                 std::span<double> gradient) override {
    density_(c, log_p, gradient);
  }
  void pull_back(std::span<const float> by_s, std::span<double> gradient) const override {
    const std::size_t parts = gradient.size() / by_s.size();
    for (std::size_t i = 0; i < gradient.size(); ++i)
      gradient[i] += static_cast<double>(by_s[i / parts]);
  }

 private:
  const PriorForm& form_;
  PriorDensity density_;
};

class LogitSpace final : public ChainSpace {
 public:
  LogitSpace(const PriorForm& form, std::span<const InverseCdf> inverses)
      : form_(form), inverses_(inverses) {
    LOGPX_ASSERT(std::ssize(inverses) == form.z_dims());
  }
  [[nodiscard]] std::int64_t dims() const override { return form_.score_dims(); }

  void to_z(std::span<const double> c, std::span<double> z) override {
    const std::size_t own = at(dims()), width = inverses_.size();
    slopes_.resize(z.size());
    for (std::size_t i = 0; i < z.size(); ++i) {
      const double u = det_sigmoid(c[i / width * own + i % width % own]);
      const InverseCdf& inverse = inverses_[i % width];
      z[i] = inverse.quantile(u);
      slopes_[i] = u * (1 - u) * std::max(inverse.slope(u), 0.0);
    }
  }
  // p(v) = u (1 - u).
  void log_prior(std::span<const double> c, std::span<double> log_p,
                 std::span<double> gradient) override {
    std::ranges::fill(log_p, 0);
    const std::size_t own = at(dims());
    for (std::size_t i = 0; i < c.size(); ++i) {
      log_p[i / own] -= det_softplus(c[i]) + det_softplus(-c[i]);
      gradient[i] = 1 - 2 * det_sigmoid(c[i]);
    }
  }
  void pull_back(std::span<const float> by_s, std::span<double> gradient) const override {
    const std::size_t own = at(dims()), width = inverses_.size();
    const std::size_t parts = slopes_.size() / by_s.size();
    for (std::size_t i = 0; i < slopes_.size(); ++i)
      gradient[i / width * own + i % width % own] +=
          static_cast<double>(by_s[i / parts]) * slopes_[i];
  }

 private:
  const PriorForm& form_;
  std::span<const InverseCdf> inverses_;
  std::vector<double> slopes_;  // dz/dv
};

}  // namespace

std::unique_ptr<ChainSpace> z_space(const PriorValues& values, std::span<const double> log_z) {
  return std::make_unique<LatentSpace>(values, log_z);
}

std::unique_ptr<ChainSpace> u_space(const PriorForm& form, std::span<const InverseCdf> inverses) {
  return std::make_unique<LogitSpace>(form, inverses);
}

}  // namespace logpx::kaem
