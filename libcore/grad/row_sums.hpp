// Sums over a row in double: eight running sums, added in a fixed order, so that the compiler may
// use vectors and the bits depend on the row alone.
#pragma once

#include "libcore/math/repeatable.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace logpx {

// sum of term(i), i < n.
template <typename Term>
[[nodiscard]] double row_sum(std::int64_t n, Term term) {
  std::array<double, 8> lanes{};
  const std::int64_t whole = n - n % 8;
  for (std::int64_t i = 0; i < whole; i += 8)
    for (std::int64_t lane = 0; lane < 8; ++lane)
      lanes[static_cast<std::size_t>(lane)] += static_cast<double>(term(i + lane));
  for (std::int64_t i = whole; i < n; ++i)
    lanes[static_cast<std::size_t>(i - whole)] += static_cast<double>(term(i));
  return ((lanes[0] + lanes[4]) + (lanes[1] + lanes[5])) +
         ((lanes[2] + lanes[6]) + (lanes[3] + lanes[7]));
}

// log of a sum; the same bits on every machine where a graph must be repeatable.
[[nodiscard]] inline double log_of_sum(double sum) {
  return RepeatableFunctions::on() ? repeatable_log(sum) : std::log(sum);
}

}  // namespace logpx
