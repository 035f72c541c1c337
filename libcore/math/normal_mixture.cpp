#include "libcore/math/normal_mixture.hpp"

#include "libcore/base/error.hpp"
#include "libcore/det/functions.hpp"
#include "libcore/math/special.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace logpx {

double NormalMixture::below(double x) const {
  double sum = 0;
  for (const Part& part : parts) sum += part.weight * det_ndtr((x - part.mean) / part.deviation);
  return sum;
}

double NormalMixture::density(double x) const {
  double sum = 0;
  for (const Part& part : parts) {
    const double z = (x - part.mean) / part.deviation;
    sum += part.weight / part.deviation * det_exp(-z * z / 2);
  }
  return sum * (std::numbers::inv_sqrtpi / std::numbers::sqrt2);
}

// It lies between the quantiles of the parts. Newton's steps that leave what is known of its place,
// or shrink it too slowly, give way to halving.
double NormalMixture::quantile(double u) const {
  LOGPX_ASSERT(!parts.empty() && u > 0 && u < 1);
  constexpr int most_steps = 200;
  const double z = normal_quantile(u);
  const auto of_part = [z](const Part& part) { return part.mean + z * part.deviation; };
  const auto [least, most] = std::ranges::minmax(parts, {}, of_part);
  double low = of_part(least), high = of_part(most), x = (low + high) / 2;
  for (int step = 0; step < most_steps && low < high; ++step) {
    const double over = below(x) - u;
    (over < 0 ? low : high) = x;
    double next = x - over / density(x);
    const bool inside = next > low && next < high && step % 3 != 2;
    if (!inside) next = low + (high - low) / 2;
    if (std::abs(over) < 1e-15 || std::abs(next - x) <= 1e-15 * std::abs(x)) break;
    x = next;
  }
  return x;
}

}  // namespace logpx
