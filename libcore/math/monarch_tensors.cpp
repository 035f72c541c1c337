#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/math/monarch.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace logpx {

namespace {

// The states of all axes at a row of a grid, index 1 slowest.
std::vector<std::int64_t> states_of(std::int64_t row, const std::vector<std::int64_t>& extents) {
  std::vector<std::int64_t> states(extents.size());
  for (std::size_t axis = extents.size(); axis-- > 0;) {
    states[axis] = row % extents[axis];
    row /= extents[axis];
  }
  return states;
}

}  // namespace

template <typename T>
std::vector<T> materialize(const Monarch& form, std::span<const T* const> tensors,
                           std::int64_t most) {
  const std::int64_t n = form.columns();
  if (form.rows() > most / n)
    fail(ErrorKind::refused, "the matrix of a sum",
         "has " + std::to_string(form.rows()) + " x " + std::to_string(n) + " entries, more than " +
             std::to_string(most));
  const std::int64_t batch = std::min<std::int64_t>(n, 128);
  std::vector<T> matrix(at(form.rows() * n)), unit(at(n * batch)), columns(at(form.rows() * batch)),
      room(at(form.room(batch)));
  const MonarchMap<T> map(form, tensors, batch, room);
  for (std::int64_t first = 0; first < n; first += batch) {
    const std::int64_t count = std::min(batch, n - first);
    std::fill(unit.begin(), unit.end(), T(0));
    for (std::int64_t b = 0; b < count; ++b) unit[at((first + b) * batch + b)] = 1;
    map.apply(unit.data(), columns.data());
    for (std::int64_t j = 0; j < form.rows(); ++j)
      std::copy_n(&columns[at(j * batch)], count, &matrix[at(j * n + first)]);
  }
  return matrix;
}

template <typename T>
double log_entry(const Monarch& form, std::span<const T* const> tensors, std::int64_t row,
                 std::int64_t column) {
  LOGPX_ASSERT(form.unique_paths());
  const auto& layers = form.layers();
  const std::vector<std::int64_t> inputs = states_of(column, form.factors().n);
  double sum = 0;
  for (std::size_t t = layers.size(); t-- > 0;) {
    const MonarchLayer& layer = layers[t];
    const auto [r, j] = layer.output(row);
    const std::int64_t i = inputs[at(layer.axis)];
    sum += std::log(static_cast<double>(tensors[t][(r * layer.m + j) * layer.n + i]));
    row = layer.in_row(r, i);
  }
  // An axis that no layer contracts stays as it was.
  return row == column ? sum : -INFINITY;
}

template <typename T>
std::vector<T> pack_tensor(const MonarchLayer& layer, std::span<const T> tensor) {
  LOGPX_ASSERT(std::ssize(tensor) == layer.edges());
  std::vector<T> packed(tensor.size());
  const std::int64_t block = layer.m * layer.n;
  for (std::int64_t k = 0; k < block; ++k)
    for (std::int64_t r = 0; r < layer.blocks; ++r)
      packed[at(r * block + k)] = tensor[at(k * layer.blocks + r)];
  return packed;
}

template <typename T>
std::vector<T> unpack_tensor(const MonarchLayer& layer, std::span<const T> packed) {
  LOGPX_ASSERT(std::ssize(packed) == layer.edges());
  std::vector<T> tensor(packed.size());
  const std::int64_t block = layer.m * layer.n;
  for (std::int64_t k = 0; k < block; ++k)
    for (std::int64_t r = 0; r < layer.blocks; ++r)
      tensor[at(k * layer.blocks + r)] = packed[at(r * block + k)];
  return tensor;
}

template <typename T>
void normalise_rows(std::span<T> tensor, std::int64_t row_size) {
  LOGPX_ASSERT(row_size > 0 && std::ssize(tensor) % row_size == 0);
  for (std::size_t first = 0; first < tensor.size(); first += at(row_size)) {
    const std::span<T> row = tensor.subspan(first, at(row_size));
    double sum = 0;
    for (const T weight : row) sum += static_cast<double>(weight);
    for (T& weight : row)
      weight = static_cast<T>(sum > 0 ? static_cast<double>(weight) / sum
                                      : 1.0 / static_cast<double>(row_size));
  }
}

template std::vector<float> materialize(const Monarch&, std::span<const float* const>,
                                        std::int64_t);
template std::vector<double> materialize(const Monarch&, std::span<const double* const>,
                                         std::int64_t);
template double log_entry(const Monarch&, std::span<const float* const>, std::int64_t,
                          std::int64_t);
template double log_entry(const Monarch&, std::span<const double* const>, std::int64_t,
                          std::int64_t);
template std::vector<float> pack_tensor(const MonarchLayer&, std::span<const float>);
template std::vector<double> pack_tensor(const MonarchLayer&, std::span<const double>);
template std::vector<float> unpack_tensor(const MonarchLayer&, std::span<const float>);
template std::vector<double> unpack_tensor(const MonarchLayer&, std::span<const double>);
template void normalise_rows(std::span<float>, std::int64_t);
template void normalise_rows(std::span<double>, std::int64_t);

}  // namespace logpx
