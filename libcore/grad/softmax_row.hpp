// The probabilities of attention, a row at a time.
#pragma once

#include "libcore/grad/axes.hpp"
#include "libcore/math/vector_math.hpp"

#include <algorithm>
#include <limits>
#include <span>

namespace logpx {

// row = softmax over the keys that the mask shows (all when it is null); zeros when it shows none,
// or all that it shows score -inf.
template <typename T>
void softmax_row(std::span<T> row, const T* mask) {
  const auto shown = [&](std::size_t j) { return mask == nullptr || mask[j] != T(0); };
  bool any = false;
  T top = 0;
  for (std::size_t j = 0; j < row.size(); ++j) {
    if (!shown(j)) continue;
    top = any ? std::max(top, row[j]) : row[j];
    any = true;
  }
  if (!any || top == -std::numeric_limits<T>::infinity()) {
    std::ranges::fill(row, T(0));
    return;
  }
  for (std::size_t j = 0; j < row.size(); ++j) row[j] = shown(j) ? row[j] - top : T(0);
  vec::exp(row, row);
  for (std::size_t j = 0; j < row.size(); ++j)
    if (!shown(j)) row[j] = 0;
  const T scale = static_cast<T>(1 / row_sum(static_cast<std::int64_t>(row.size()), [&](auto j) {
                                   return row[static_cast<std::size_t>(j)];
                                 }));
  for (T& p : row) p *= scale;
}

// From the gradient by probabilities p, in `row`, to that by scores: p (row - <row, p>).
template <typename T>
void softmax_row_backward(std::span<const T> p, std::span<T> row) {
  const auto n = static_cast<std::int64_t>(row.size());
  const T mean = static_cast<T>(row_sum(n, [&](std::int64_t j) {
    return row[static_cast<std::size_t>(j)] * p[static_cast<std::size_t>(j)];
  }));
  for (std::size_t j = 0; j < row.size(); ++j) row[j] = p[j] * (row[j] - mean);
}

}  // namespace logpx
