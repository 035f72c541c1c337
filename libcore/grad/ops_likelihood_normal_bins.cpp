// Probabilities of the bins of a normal, in double and without cancellation.   [math/README 4.4]
#include "libcore/det/arrays.hpp"
#include "libcore/det/functions.hpp"
#include "libcore/grad/ops_likelihood.hpp"
#include "libcore/grad/row_function.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace logpx {
namespace {

constexpr double half_log_two_pi = 0.91893853320467274178;
constexpr double furthest = 37;     // det_ndtr keeps its digits down to -37
constexpr double narrowest = 1e-3;  // below it a bin's probability is that of a series

// ln Phi(x) for x below -furthest: phi(x)/|x| (1 - 1/x^2 + 3/x^4 - 15/x^6 + ...)
double log_far_tail(double x) {
  const double z = 1 / (x * x);
  const double series = 1 - z * (1 - 3 * z * (1 - 5 * z * (1 - 7 * z * (1 - 9 * z))));
  return -0.5 * x * x - det_log(-x) - half_log_two_pi + det_log(series);
}

// One bin, its middle c and its width w in units of the deviation: [c - w/2, c + w/2], the ends of
// the outer ones being open.
struct Bin {
  double c, w;
  bool lowest, highest;
  [[nodiscard]] double upper() const { return c + w / 2; }
  [[nodiscard]] double lower() const { return c - w / 2; }
  [[nodiscard]] bool narrow() const {
    return !lowest && !highest && w * std::max(1.0, std::fabs(c)) < narrowest;
  }
  // The same bin in the lower half of the normal, |near| <= |far|; far is -inf of an open end.
  struct Ends {
    double near, far;
  };
  [[nodiscard]] Ends mirrored() const {
    constexpr double nothing = -std::numeric_limits<double>::infinity();
    if (lowest) return {upper(), nothing};
    if (highest) return {-lower(), nothing};
    return c > 0 ? Ends{-lower(), -upper()} : Ends{upper(), lower()};
  }

  // phi(c) w (1 + w^2 (c^2 - 1)/24 + ...)
  [[nodiscard]] double log_narrow() const {
    return -0.5 * c * c - half_log_two_pi + det_log(w) + det_log1p(w * w * (c * c - 1) / 24);
  }
  [[nodiscard]] static double log_far(const Ends& ends) {
    const double near = log_far_tail(ends.near);
    return std::isinf(ends.far) ? near : near + det_log1p(-det_exp(log_far_tail(ends.far) - near));
  }
};

struct DiscretizedGaussian {
  static constexpr const char* name = "discretized_gaussian_log_prob";
  static constexpr std::size_t operands = 3;  // x, mean, log_var
  static constexpr bool in_double = true;
  double levels;

  using Doubles = elementwise::Run<double>;
  void find_rates(const OperandBlock<double>& in, Doubles& rates) const {
    for (std::size_t i = 0; i < in.n; ++i) rates[i] = -in[2][i] / 2;
    vec::exp(std::span(rates).first(in.n), std::span(rates).first(in.n));
  }
  [[nodiscard]] Bin bin_at(const OperandBlock<double>& in, std::size_t i, double rate) const {
    const double x = in[0][i], top = levels - 1;
    return {
        .c = (x / top - in[1][i]) * rate, .w = rate / top, .lowest = x <= 0, .highest = x >= top};
  }

  void value(const OperandBlock<double>& in, std::span<double> y) const {
    Doubles rates;
    find_rates(in, rates);
    find_values(in, rates, y);
  }
  // Phi(near) - Phi(far), or 1 - Phi(-near) - Phi(far) where the middle of the normal is inside.
  void find_values(const OperandBlock<double>& in, const Doubles& rates,
                   std::span<double> y) const {
    Doubles near, far;
    for (std::size_t i = 0; i < in.n; ++i) {
      const Bin::Ends ends = bin_at(in, i, rates[i]).mirrored();
      y[i] = ends.near > 0 ? 1 : 0;
      near[i] = std::max(-std::fabs(ends.near), -2 * furthest);
      far[i] = std::max(ends.far, -2 * furthest);
    }
    det::ndtr(std::span<const double>(near).first(in.n), std::span(near).first(in.n));
    det::ndtr(std::span<const double>(far).first(in.n), std::span(far).first(in.n));
    for (std::size_t i = 0; i < in.n; ++i) y[i] = (y[i] == 1 ? 1 - near[i] : near[i]) - far[i];
    vec::log(y, y);
    for (std::size_t i = 0; i < in.n; ++i) {
      const Bin bin = bin_at(in, i, rates[i]);
      if (bin.narrow()) y[i] = bin.log_narrow();
      else if (const Bin::Ends ends = bin.mirrored(); ends.near < -furthest)
        y[i] = Bin::log_far(ends);
    }
  }

  // With phi(end) over the bin's probability: d/dmean = rate (lower's - upper's), d/dlog_var =
  // (lower times its own - upper times its own) / 2.
  void slopes(const OperandBlock<double>& in, const OperandSlopes<double>& d) const {
    Doubles rates, values, upper, lower;
    find_rates(in, rates);
    const auto part = [n = in.n](Doubles& run) { return std::span(run).first(n); };
    find_values(in, rates, part(values));
    for (std::size_t i = 0; i < in.n; ++i) {
      const Bin bin = bin_at(in, i, rates[i]);
      upper[i] = -0.5 * bin.upper() * bin.upper() - half_log_two_pi - values[i];
      lower[i] = -0.5 * bin.lower() * bin.lower() - half_log_two_pi - values[i];
    }
    vec::exp(part(upper), part(upper));
    vec::exp(part(lower), part(lower));
    for (std::size_t i = 0; i < in.n; ++i) {
      const Bin bin = bin_at(in, i, rates[i]);
      const double c = bin.c, w2 = bin.w * bin.w;
      const double above = bin.highest ? 0 : upper[i], below = bin.lowest ? 0 : lower[i];
      d[0][i] = 0;
      d[1][i] = rates[i] * (bin.narrow() ? c - w2 * c / 12 : below - above);
      d[2][i] = 0.5 * (bin.narrow() ? c * c - 1 - w2 * (2 * c * c - 1) / 12
                                    : bin.lower() * below - bin.upper() * above);
    }
  }
};

}  // namespace

Var discretized_gaussian_log_prob(Var x, Var mean, Var log_var, std::int64_t levels, int kept) {
  expect_fit(levels >= 2, std::span(&x.shape(), 1), "needs at least 2 levels");
  return row_function(DiscretizedGaussian{static_cast<double>(levels)}, {x, mean, log_var}, kept);
}

}  // namespace logpx
