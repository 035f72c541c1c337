// Rows of parameters that pool their counts, as the leaves' weights and the dictionary of a circuit
// with styles do. Zeros stay zeros, so an element keeps its support.   [pc/README 4.3]
//
//   pool   counts of all rows of a kind, over their sum
//   p = (1 - even) (of_pool pool + (1 - of_pool) usual) + even / (columns that are not 0)
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace logpx::pc {

struct MaximiseStep;

struct RowGroup {
  enum class Moves { never, with_step, with_average };
  Moves moves = Moves::with_step;
  std::int64_t kinds = 1;   // rows i and i + kinds are of one kind
  double pseudocounts = 1;  // multiple of those of the step
  double of_pool = 0, even = 0;
};

// theta = (1 - eta) theta + eta (C + kappa p) / (sum C + kappa), or, with a running average F of
// counts, whose rate is max(0.03, eta / 5), theta = (F + kappa p) / (sum F + kappa) once F is made
// of ten steps. `usual` may be empty if of_pool is 1.
template <typename T>
struct GroupRows {
  std::span<const T> counts;
  std::span<T> statistics, theta;
  std::span<const double> usual;  // shares by column, or empty
  std::int64_t columns = 0;
};
template <typename T>
void move_group(const RowGroup& group, const MaximiseStep& step, const GroupRows<T>& rows);

}  // namespace logpx::pc
