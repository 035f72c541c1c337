#include "libcore/det/functions.hpp"
#include "libcore/families/vdm/schedule/noise_curve.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace logpx::vdm {
namespace {

class Linear final : public NoiseCurve {
 public:
  [[nodiscard]] CurvePoint at(double t) const override { return {t, 1}; }
  [[nodiscard]] double time_of(double value) const override { return value; }
};

class BetaLinear final : public NoiseCurve {
 public:
  [[nodiscard]] CurvePoint at(double t) const override {
    const double a = least + most * t * t;
    const double noise = det_expm1(a);
    return {det_log(noise), 2 * most * t * (noise + 1) / noise};
  }
  [[nodiscard]] double time_of(double value) const override {
    return std::sqrt(std::max(0.0, det_log1p(det_exp(value)) - least) / most);
  }

 private:
  static constexpr double least = 1e-4, most = 10;
};

class AlphaCosine final : public NoiseCurve {
 public:
  [[nodiscard]] CurvePoint at(double t) const override {
    const SinCos u = det_sincos(speed * t + start);
    return {2 * det_log(u.sin / u.cos), 2 * speed / (u.sin * u.cos)};
  }
  [[nodiscard]] double time_of(double value) const override {
    return (std::atan(std::exp(value / 2)) - start) / speed;
  }

 private:
  static constexpr double quarter = std::numbers::pi / 2 / 1.008;
  static constexpr double speed = quarter * 0.999, start = quarter * 0.008;
};

class Table final : public NoiseCurve {
 public:
  explicit Table(const CurveTable& table) : table_(table) {}

  [[nodiscard]] CurvePoint at(double t) const override {
    const std::size_t i = piece(table_.t, t);
    const double slope = (table_.g[i + 1] - table_.g[i]) / (table_.t[i + 1] - table_.t[i]);
    if (t == table_.t[i + 1]) return {table_.g[i + 1], slope};
    return {table_.g[i] + slope * (t - table_.t[i]), slope};
  }
  [[nodiscard]] double time_of(double value) const override {
    const std::size_t i = piece(table_.g, value);
    const double part = (value - table_.g[i]) / (table_.g[i + 1] - table_.g[i]);
    return table_.t[i] + part * (table_.t[i + 1] - table_.t[i]);
  }

 private:
  static std::size_t piece(const std::vector<double>& knots, double value) {
    const auto after = std::upper_bound(knots.begin() + 1, knots.end() - 1, value);
    return static_cast<std::size_t>(after - knots.begin()) - 1;
  }
  CurveTable table_;
};

}  // namespace

std::unique_ptr<const NoiseCurve> linear_curve() { return std::make_unique<Linear>(); }
std::unique_ptr<const NoiseCurve> beta_linear_curve() { return std::make_unique<BetaLinear>(); }
std::unique_ptr<const NoiseCurve> alpha_cosine_curve() { return std::make_unique<AlphaCosine>(); }
std::unique_ptr<const NoiseCurve> table_curve(const CurveTable& table) {
  return std::make_unique<Table>(table);
}

}  // namespace logpx::vdm
