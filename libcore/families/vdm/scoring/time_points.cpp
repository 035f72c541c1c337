#include "libcore/families/vdm/scoring/time_points.hpp"

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

std::vector<std::int64_t> spread_steps(double u, std::int64_t steps, std::int64_t count) {
  std::vector<std::int64_t> some;
  for (std::int64_t j = 0; j < count; ++j)
    some.push_back(
        static_cast<std::int64_t>((static_cast<double>(j) + u) * static_cast<double>(steps) /
                                  static_cast<double>(count)) +
        1);
  return some;
}

}  // namespace logpx::vdm
