// Where Sobol's sequences begin: a primitive polynomial for each dimension and the first direction
// numbers.
#pragma once

#include <cstdint>
#include <vector>

namespace logpx {

struct SobolNumbers {
  std::uint32_t polynomial = 0;           // bit k: the coefficient of x^k
  std::vector<std::uint32_t> first = {};  // m_i, odd, below 2^(i + 1), i from 0
};

// The numbers of dimensions 0 .. dims - 1, dims <= 1024. The first is van der Corput's, without a
// polynomial: all m_i are 1.
[[nodiscard]] std::vector<SobolNumbers> sobol_numbers(std::int64_t dims);

}  // namespace logpx
