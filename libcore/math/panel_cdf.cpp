#include "libcore/math/panel_cdf.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/math/gauss_rules.hpp"
#include "libcore/math/vector_math.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace logpx {
namespace {

// Beyond e^600 a larger shift is taken and the work begun anew.
constexpr double largest_exponent = 600;

// The largest log g on the first panels' nodes.
double first_shift(const IntervalDensity& density, const KronrodRule& rule) {
  double shift = -std::numeric_limits<double>::infinity();
  std::vector<double> z(rule.nodes.size()), log_g(z.size());
  for (std::size_t b = 0; b + 1 < density.breaks.size(); ++b) {
    const double half = density.breaks[b + 1] / 2 - density.breaks[b] / 2;
    for (std::size_t i = 0; i < z.size(); ++i)
      z[i] = density.breaks[b] + half * (1 + rule.nodes[i]);
    density.log_g(z, log_g);
    for (const double value : log_g) shift = std::max(shift, value);
  }
  return shift;
}

[[noreturn]] void refuse_density(const IntervalDensity& density, const char* what) {
  fail(ErrorKind::numeric, "density",
       what + (" between " + four_digits(density.breaks.front())) + " and " +
           four_digits(density.breaks.back()));
}

}  // namespace

PanelCdf::PanelCdf(IntervalDensity density, const AdaptiveOptions& options)
    : density_(std::move(density)), options_(options) {
  shift_ = first_shift(density_, gauss_kronrod(options_.kronrod));
  AdaptiveIntegral integral;
  for (;;) {
    if (shift_ == std::numeric_limits<double>::infinity())
      refuse_density(density_, "is not finite");
    if (!std::isfinite(shift_)) shift_ = 0;
    double largest = 0;
    const RealFunction g = [&](std::span<const double> z, std::span<double> y) {
      density_.log_g(z, y);
      for (double& value : y) {
        value -= shift_;
        largest = std::max(largest, value);
        value = std::min(value, largest_exponent);
      }
      vec::exp(y, y);
    };
    integral = adaptive_integral(g, density_.breaks, options_);
    if (largest <= largest_exponent) break;
    shift_ += largest;
  }
  total_ = integral.value;
  if (!(total_ > 0)) refuse_density(density_, "has no mass");
  for (QuadraturePanel& panel : integral.panels) {
    panel.integral /= total_;
    panel.error /= total_;
    for (double& value : panel.values) value /= total_;
  }
  const auto holds_mass = [](const QuadraturePanel& panel) { return panel.integral > 0; };
  const auto first = std::find_if(integral.panels.begin(), integral.panels.end(), holds_mass);
  const auto last = std::find_if(integral.panels.rbegin(), integral.panels.rend(), holds_mass);
  panels_.assign(std::make_move_iterator(first), std::make_move_iterator(last.base()));
  double sum = 0;
  for (const QuadraturePanel& panel : panels_) {
    starts_.push_back(std::min(sum, 1.0));
    sum += panel.integral;
  }
  starts_.push_back(1);
}

double PanelCdf::log_total() const { return shift_ + std::log(total_); }

void PanelCdf::scaled_density(std::span<const double> z, std::span<double> g) const {
  density_.log_g(z, g);
  for (double& value : g) value = std::min(value - shift_, largest_exponent);
  vec::exp(g, g);
}

QuadraturePanel PanelCdf::part(double low, double high) const {
  const KronrodRule& rule = gauss_kronrod(options_.kronrod);
  QuadraturePanel panel{.low = low, .high = high, .values = std::vector<double>(rule.nodes.size())};
  std::vector<double> z(rule.nodes.size());
  const double half = high / 2 - low / 2;
  for (std::size_t i = 0; i < z.size(); ++i) z[i] = low + half * (1 + rule.nodes[i]);
  scaled_density(z, panel.values);
  for (std::size_t i = 0; i < z.size(); ++i) {
    panel.values[i] /= total_;
    panel.integral += half * rule.weights[i] * panel.values[i];
  }
  return panel;
}

double PanelCdf::mass_between(double low, double z) const { return part(low, z).integral; }

double PanelCdf::cdf(double z) const {
  if (!(z > low())) return 0;
  if (!(z < high())) return 1;
  const auto above =
      std::upper_bound(panels_.begin(), panels_.end(), z,
                       [](double x, const QuadraturePanel& panel) { return x < panel.low; });
  const auto i = static_cast<std::size_t>(above - panels_.begin()) - 1;
  const double mass = panels_[i].integral > 0 ? mass_between(panels_[i].low, z) : 0;
  return std::clamp(starts_[i] + mass, starts_[i], starts_[i + 1]);
}

double PanelCdf::log_density(double z) const {
  if (!(z >= low() && z <= high())) return -std::numeric_limits<double>::infinity();
  double log_g = 0;
  density_.log_g({&z, 1}, {&log_g, 1});
  return log_g - log_total();
}

double PanelCdf::expectation(const RealFunction& h) const {
  const KronrodRule& rule = gauss_kronrod(options_.kronrod);
  std::vector<double> z(rule.nodes.size()), values(z.size());
  double sum = 0;
  for (const QuadraturePanel& panel : panels_) {
    const double half = panel.high / 2 - panel.low / 2;
    for (std::size_t i = 0; i < z.size(); ++i) z[i] = panel.low + half * (1 + rule.nodes[i]);
    h(z, values);
    for (std::size_t i = 0; i < z.size(); ++i)
      if (panel.values[i] > 0) sum += half * rule.weights[i] * panel.values[i] * values[i];
  }
  return sum;
}

double largest_u_error(const PanelCdf& target, std::span<const double> u,
                       std::span<const double> z) {
  LOGPX_ASSERT(u.size() == z.size());
  double largest = 0;
  for (std::size_t i = 0; i < u.size(); ++i)
    largest = std::max(largest, std::fabs(target.cdf(z[i]) - u[i]));
  return largest;
}

}  // namespace logpx
