#include "libcore/base/index.hpp"
#include "libcore/families/pc/passes/message.hpp"

#include <algorithm>

namespace logpx::pc {

// y_j = p_j[x], and 1 where x is missing, or the largest p_j.
template <typename T>
void leaf_message(const Work<T>& work, int b, const ColumnValues& values) {
  if (work.plan.leaf(b) != nullptr) return density_message(work, b, values);
  const std::int32_t* const x = values.x;
  const Block& block = work.plan.block(b);
  const std::int64_t categories = work.plan.circuit().variables[at(block.variable)].categories;
  Message<T>& message = work.of(b);
  std::fill_n(message.exponent, work.columns, 0);
  const auto missing = [&](const T* row) {
    return work.over == Over::sums ? T{1} : *std::max_element(row, row + categories);
  };
  const std::int64_t stride = work.style_stride(b);
  const T* p = work.parameters(b);
  T* y = message.y;
  for (std::int64_t j = 0; j < block.size; ++j, p += categories, y += work.columns) {
    const T usual = missing(p);
    for (std::int64_t c = 0; c < work.columns; ++c) {
      const T* const row = stride == 0 ? p : p + work.styles[c] * stride;
      y[c] = x[c] >= 0 ? row[x[c]] : stride == 0 ? usual : missing(row);
    }
  }
}

template <typename T>
void leaf_slopes(const Work<T>& work, int b, const std::int32_t* x) {
  const Block& block = work.plan.block(b);
  const std::int64_t categories = work.plan.circuit().variables[at(block.variable)].categories;
  const std::int64_t stride = work.style_stride(b);
  T* to = work.parameter_slopes(b);
  const T* slope = work.of(b).slope.data();
  for (std::int64_t j = 0; j < block.size; ++j, to += categories, slope += work.columns)
    for (std::int64_t c = 0; c < work.columns; ++c)
      if (x[c] >= 0) to[x[c] + (stride == 0 ? 0 : work.styles[c] * stride)] += slope[c];
}

// y = 1 where x is the value, or missing and may be it.
template <typename T>
void indicator_message(const Work<T>& work, int b, const ColumnValues& values) {
  const std::int32_t* const x = values.x;
  Message<T>& message = work.of(b);
  std::fill_n(message.exponent, work.columns, 0);
  const auto value = static_cast<std::int32_t>(work.plan.block(b).value);
  const bool may_be = values.region == nullptr || values.region->has(value);
  for (std::int64_t c = 0; c < work.columns; ++c)
    message.y[c] = may_be && (x[c] < 0 || x[c] == value) ? T{1} : T{0};
}

template void leaf_message(const Work<float>&, int, const ColumnValues&);
template void leaf_message(const Work<double>&, int, const ColumnValues&);
template void leaf_slopes(const Work<float>&, int, const std::int32_t*);
template void leaf_slopes(const Work<double>&, int, const std::int32_t*);
template void indicator_message(const Work<float>&, int, const ColumnValues&);
template void indicator_message(const Work<double>&, int, const ColumnValues&);

}  // namespace logpx::pc
