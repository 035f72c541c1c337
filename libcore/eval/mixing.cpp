#include "libcore/eval/mixing.hpp"

#include <algorithm>
#include <cmath>

namespace logpx {

double split_r_hat(std::span<const ChainHalf> halves) {
  constexpr double most = 1000;
  const auto parts = static_cast<double>(halves.size());
  double count = halves.empty() ? 0 : halves[0].count, within = 0, mean = 0, between = 0;
  for (const ChainHalf& half : halves) {
    count = std::min(count, half.count);
    within += half.variance / parts;
    mean += half.mean / parts;
  }
  if (count < 2 || parts < 2) return 0;
  for (const ChainHalf& half : halves)
    between += (half.mean - mean) * (half.mean - mean) / (parts - 1);
  if (between == 0) return 1;
  const double ratio = (count - 1) / count + between / within;
  return ratio < most * most ? std::sqrt(ratio) : most;
}

}  // namespace logpx
