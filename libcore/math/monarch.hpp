// Products with a Monarch matrix, forth and back. States are rows and a batch of examples lies
// along them, [states, batch], so every layer is one small matrix product per block.
//
//   const Monarch form({.m = {32, 32}, .n = {32, 32}, .program = {}});
//   std::vector<float> room(at(form.room(batch)));
//   const MonarchMap<float> map(form, tensors, batch, room);    // tensors: packed, one per layer
//   map.apply(x, y);                                            // y = M x
//
// Nothing is allocated. Numbers below the normal range count as 0, unless a RepeatableFunctions
// lives on this thread: then every sum is ordered (libcore/det), the same on all machines. Memory
// aligned to 64 bytes is read fastest.
// [Monarch sec. 3.1; pc/README 3.2]
#pragma once

#include "libcore/math/monarch_form.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx {

template <typename T>
struct MonarchFlow {
  const T* in = nullptr;           // x [columns, batch]
  const T* inner = nullptr;        // from apply_keeping; null: computed again
  const T* gradient = nullptr;     // of y [rows, batch]
  std::span<T* const> products{};  // shaped like the tensors; added to
  T* adjoint = nullptr;            // M^T gradient [columns, batch]; null: not wanted
};

template <typename T>
class MonarchMap {
 public:
  // Borrows the form, the list of tensors, and what both point to.
  MonarchMap(const Monarch& form, std::span<const T* const> tensors, std::int64_t batch,
             std::span<T> room);

  // Results must not overlap inputs.
  void apply(const T* x, T* y) const;                       // y = M x
  void apply_transposed(const T* y, T* x) const;            // x = M^T y
  void apply_layer(std::size_t t, const T* x, T* y) const;  // y = A_t x
  // As apply, and keeps the vectors between layers one behind the other: inner [inner_rows, batch].
  void apply_keeping(const T* x, T* inner, T* y) const;
  // products[t][r, j, i] += sum_b g[r, j, b] y[r, i, b], where y goes into layer t and g is the
  // gradient behind it. Expected counts are A times that.
  void add_products(const MonarchFlow<T>& flow) const;

 private:
  void compute_inner(const T* x, T* inner) const;
  [[nodiscard]] T* step(std::size_t which) const;  // one of two vectors between layers

  const Monarch& form_;
  std::span<const T* const> tensors_;
  std::int64_t batch_;
  std::span<T> room_;
};

// M itself, row-major; refused if it has more elements than `most`.
inline constexpr std::int64_t most_monarch_entries = std::int64_t{1} << 26;
template <typename T>
[[nodiscard]] std::vector<T> materialize(const Monarch& form, std::span<const T* const> tensors,
                                         std::int64_t most = most_monarch_entries);
// ln M[row, column] from the only path between them, without underflow. Needs unique_paths().
template <typename T>
[[nodiscard]] double log_entry(const Monarch& form, std::span<const T* const> tensors,
                               std::int64_t row, std::int64_t column);

// Packs a tensor in the paper's order, [m, n, states of the other axes].
template <typename T>
[[nodiscard]] std::vector<T> pack_tensor(const MonarchLayer& layer, std::span<const T> tensor);
template <typename T>
[[nodiscard]] std::vector<T> unpack_tensor(const MonarchLayer& layer, std::span<const T> packed);
// Divides rows of this size by their sums; a row of zeros becomes uniform.
template <typename T>
void normalise_rows(std::span<T> tensor, std::int64_t row_size);

}  // namespace logpx
