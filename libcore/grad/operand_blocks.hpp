// Operands of one function in short runs, each repeating over leading axes as often as needed.
#pragma once

#include "libcore/grad/axes.hpp"
#include "libcore/grad/elementwise.hpp"
#include "libcore/grad/op.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <type_traits>

namespace logpx {

template <typename C>
struct OperandBlock {
  static constexpr std::size_t max_operands = 4;
  std::size_t n = 0;
  std::array<const C*, max_operands> data{};
  [[nodiscard]] std::span<const C> operator[](std::size_t k) const { return {data[k], n}; }
};
template <typename C>
using OperandSlopes = std::array<std::span<C>, OperandBlock<C>::max_operands>;

[[nodiscard]] inline const Shape& widest(std::span<const Shape> shapes) {
  const Shape* full = &shapes[0];
  for (const Shape& shape : shapes)
    if (shape.rank() > full->rank()) full = &shape;
  return *full;
}

template <typename T>
[[nodiscard]] std::int64_t full_elements(const Frame<T>& f) {
  std::int64_t elements = 0;
  for (const auto& input : f.inputs) elements = std::max(elements, input.shape.elements());
  return elements;
}
template <typename T>
[[nodiscard]] bool repeats(const Frame<T>& f, std::size_t k) {
  return f.inputs[k].shape.elements() != full_elements(f);
}

// Operand k from element `first` on: in place where it lies in one piece, else in `copy`.
template <typename T, typename C>
[[nodiscard]] const C* load_operand(const Frame<T>& f, std::size_t k, std::int64_t first,
                                    std::span<C> copy) {
  const View<const T> operand = f.in(static_cast<int>(k));
  const std::int64_t size = operand.size(), n = static_cast<std::int64_t>(copy.size());
  std::int64_t from = first % size;
  if constexpr (std::is_same_v<T, C>)
    if (from + n <= size) return operand.data + from;
  for (C& value : copy) {
    value = static_cast<C>(operand[from]);
    if (++from == size) from = 0;
  }
  return copy.data();
}

// Gradients d of the elements from `first` on; where operand k repeats they are added up.
template <typename T, typename C>
void add_slopes(const Frame<T>& f, std::size_t k, std::int64_t first, std::span<const C> d) {
  const int operand = static_cast<int>(k);
  const std::int64_t size = f.inputs[k].shape.elements();
  T* const to = f.gradient(operand);
  if (!repeats(f, k)) {
    T* const place = to + first;
    if (f.accumulates(operand))
      for (std::size_t i = 0; i < d.size(); ++i) place[i] += static_cast<T>(d[i]);
    else
      for (std::size_t i = 0; i < d.size(); ++i) place[i] = static_cast<T>(d[i]);
    return;
  }
  if (size == 1) {
    to[0] += static_cast<T>(row_sum(static_cast<std::int64_t>(d.size()), [&](std::int64_t i) {
      return d[static_cast<std::size_t>(i)];
    }));
    return;
  }
  std::int64_t at = first % size;
  for (const C value : d) {
    to[at] += static_cast<T>(value);
    if (++at == size) at = 0;
  }
}

}  // namespace logpx
