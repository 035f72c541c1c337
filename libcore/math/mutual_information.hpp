// Mutual information of every two variables of a table, in nats, from whole-number counts and the
// logarithm of libcore/det, so that data and options decide every bit.   [pc/README 4.2]
//
//   const std::vector<double> nats = mutual_information(columns, 0.01, workers);   // [D, D]
#pragma once

#include "libcore/base/parallel.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx {

inline constexpr std::uint16_t missing_bin = 0xffff;

// The values of variable v lie at values[v * rows] .. , each below `bins` or missing.
struct BinnedColumns {
  std::span<const std::uint16_t> values;
  std::int64_t variables = 0, rows = 0;
  int bins = 0;
};

// The hard bin of a symbol from an alphabet of K: symbol bins div K.
[[nodiscard]] constexpr std::uint16_t hard_bin(std::int64_t symbol, int bins, std::int64_t K) {
  return symbol < 0 ? missing_bin : static_cast<std::uint16_t>(symbol * bins / K);
}

// sum P_ij ln (P_ij / (P_i P_j)) with P_ij = (count + alpha) / (N + alpha bins^2) and its margins,
// over the N rows in which both are known; symmetric, 0 on the diagonal, never negative. Sums are
// exact, so neither the order of bins nor the number of threads changes a bit. Time: per pair, the
// rows in which the more constant variable is not at its most frequent value.
[[nodiscard]] std::vector<double> mutual_information(const BinnedColumns& columns, double alpha,
                                                     Workers& workers);

// The same for real variables, as if they were normal: -1/2 ln (1 - rho^2). Values [D, rows]; a
// row counts for a pair if both are numbers, and a constant variable has none.
[[nodiscard]] std::vector<double> normal_information(std::span<const double> values,
                                                     std::int64_t variables, Workers& workers);

}  // namespace logpx
