#include "libcore/families/vdm/scoring/time_points.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/det/functions.hpp"

#include <algorithm>
#include <cmath>

namespace logpx::vdm {

TimePoint TimeIntegral::at(double u) const {
  if (gammas_.empty()) {
    const CurvePoint gamma = schedule_.at(u);
    return {u, gamma.value, 0.5 * gamma.slope};
  }
  const auto below = static_cast<std::int64_t>(std::floor(u * static_cast<double>(steps())));
  return step(std::min(below + 1, steps()));
}

TimePoint TimeIntegral::step(std::int64_t i) const {
  const auto all = static_cast<double>(steps());
  const double gamma = gammas_[logpx::at(i)];
  return {static_cast<double>(i) / all, gamma,
          0.5 * all * det_expm1(gamma - gammas_[logpx::at(i - 1)])};
}

std::vector<double> even_times(double start, std::int64_t n) {
  std::vector<double> times;
  for (std::int64_t j = 0; j < n; ++j) {
    const double t = start + static_cast<double>(j) / static_cast<double>(n);
    times.push_back(t - std::floor(t));
  }
  return times;
}

// e_i = v_i - (v_i-1 + v_i+1) / 2 has 3/2 of the variance of v_i.
double noise_of_sum(std::span<const double> values, std::span<const double> weights) {
  LOGPX_ASSERT(values.size() >= 3);
  double variance = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t middle = std::clamp<std::size_t>(i, 1, values.size() - 2);
    const double off = values[middle] - (values[middle - 1] + values[middle + 1]) / 2;
    variance += weights[i] * weights[i] * off * off / 1.5;
  }
  return std::sqrt(variance);
}

}  // namespace logpx::vdm
