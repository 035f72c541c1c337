// Products with a Monarch matrix, forth and back. States are rows and a batch of examples lies
// along them, [states, batch], so every layer is one small matrix product per block.
//
//   const Monarch form({.m = {32, 32}, .n = {32, 32}, .program = {}});
//   std::vector<float> room(at(form.room(batch)));
//   const MonarchMap<float> map(form, tensors, batch, room);    // tensors: packed, one per layer
//   map.apply(x, y);                                            // y = M x
//
// Nothing is allocated. Numbers below the normal range are taken for 0 meanwhile, unless a
// RepeatableFunctions lives on this thread: then every sum is ordered (libcore/det), the same on
// all machines. Memory at 64-byte boundaries is read fastest.
// [Monarch sec. 3.1; spec/pc.md sections 3.2 and 6.1]
#pragma once

#include "libcore/math/monarch_form.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx {

template <typename T>
struct MonarchFlow {
  const T* in = nullptr;           // x [columns, batch]
  const T* inner = nullptr;        // what apply_keeping kept; null: computed again
  const T* gradient = nullptr;     // of y [rows, batch]
  std::span<T* const> products{};  // like the tensors, each one added to
  T* adjoint = nullptr;            // M^T gradient [columns, batch]; null: not wanted
};

template <typename T>
class MonarchMap {
 public:
  // Everything is borrowed: the form, the list of tensors, and what both point to.
  MonarchMap(const Monarch& form, std::span<const T* const> tensors, std::int64_t batch,
             std::span<T> room);

  // Results never overlap what they are computed from.
  void apply(const T* x, T* y) const;             // y = M x
  void apply_transposed(const T* y, T* x) const;  // x = M^T y
  // As apply, and the vectors between layers, one behind the other: inner [inner_rows, batch].
  void apply_keeping(const T* x, T* inner, T* y) const;
  // products[t][r, j, i] += sum_b g[r, j, b] y[r, i, b], where y goes into layer t and g is the
  // gradient behind it. Expected counts are A times that.
  void add_products(const MonarchFlow<T>& flow) const;

 private:
  void compute_inner(const T* x, T* inner) const;
  [[nodiscard]] T* step(std::size_t which) const;  // one of the two vectors on the way

  const Monarch& form_;
  std::span<const T* const> tensors_;
  std::int64_t batch_;
  std::span<T> room_;
};

// M itself, row-major; refused where it has more elements than `most`.
inline constexpr std::int64_t most_monarch_entries = std::int64_t{1} << 26;
template <typename T>
[[nodiscard]] std::vector<T> materialize(const Monarch& form, std::span<const T* const> tensors,
                                         std::int64_t most = most_monarch_entries);
// ln M[row, column] from the one path between them: without underflow. Needs unique_paths().
template <typename T>
[[nodiscard]] double log_entry(const Monarch& form, std::span<const T* const> tensors,
                               std::int64_t row, std::int64_t column);

// The paper's order of a tensor, [m, n, states of the other axes], to the packed one.
template <typename T>
[[nodiscard]] std::vector<T> pack_tensor(const MonarchLayer& layer, std::span<const T> tensor);
template <typename T>
[[nodiscard]] std::vector<T> unpack_tensor(const MonarchLayer& layer, std::span<const T> packed);
// Rows of so many numbers are divided by their sums; a row of zeros becomes even.
template <typename T>
void normalise_rows(std::span<T> tensor, std::int64_t row_size);

}  // namespace logpx
