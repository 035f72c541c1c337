#include "libcore/base/index.hpp"
#include "libcore/families/pc/passes/message.hpp"

#include <algorithm>
#include <cmath>

namespace logpx::pc {

template <typename T>
void rescale(std::span<T> y, std::span<T> factors, std::int64_t* exponent) {
  // Far from the ends of the range, so that the factors and their products are numbers.
  constexpr int most = sizeof(T) == sizeof(float) ? 100 : 900;
  const std::size_t columns = factors.size();
  std::ranges::fill(factors, T{0});
  for (std::size_t row = 0; row < y.size(); row += columns)
    for (std::size_t b = 0; b < columns; ++b) factors[b] = std::max(factors[b], y[row + b]);
  for (std::size_t b = 0; b < columns; ++b) {
    int shift = 0;
    if (factors[b] > 0) static_cast<void>(std::frexp(factors[b], &shift));
    shift = std::clamp(shift, -most, most);
    exponent[b] += shift;
    factors[b] = std::ldexp(T{1}, -shift);
  }
  for (std::size_t row = 0; row < y.size(); row += columns)
    for (std::size_t b = 0; b < columns; ++b) y[row + b] *= factors[b];
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
