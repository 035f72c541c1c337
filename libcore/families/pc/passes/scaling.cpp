#include "libcore/base/index.hpp"
#include "libcore/families/pc/passes/message.hpp"
#include "libcore/math/column_loops.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace logpx::pc {

template <typename T>
void rescale(std::span<T> y, std::span<T> factors, std::int64_t* exponent) {
  // Far enough from the ends of the range that factors and their products stay finite.
  constexpr int most = sizeof(T) == sizeof(float) ? 100 : 900;
  const std::size_t columns = factors.size();
  const auto rows = static_cast<long>(y.size() / columns), width = static_cast<long>(columns);
  column_kernels<T>().largest(y.data(), rows, width, factors.data());
  for (std::size_t b = 0; b < columns; ++b) {
    int shift = 0;
    if (factors[b] > 0) static_cast<void>(std::frexp(factors[b], &shift));
    shift = std::clamp(shift, -most, most);
    exponent[b] += shift;
    factors[b] = std::ldexp(T{1}, -shift);
  }
  column_kernels<T>().scale(y.data(), rows, width, factors.data(), std::numeric_limits<T>::max());
}
template void rescale(std::span<float>, std::span<float>, std::int64_t*);
template void rescale(std::span<double>, std::span<double>, std::int64_t*);

template <typename T>
T* slope_of(Message<T>& message) {
  if (!message.sloped) std::ranges::fill(message.slope, T{0});
  message.sloped = true;
  return message.slope.data();
}
template float* slope_of(Message<float>&);
template double* slope_of(Message<double>&);

}  // namespace logpx::pc
