// A tensor that lives elsewhere, under a name: what models hand out to be saved and filled again,
// and what a training run carries from step to step.
#pragma once

#include "libcore/math/tensor.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace logpx {

enum class NumberType { f32, f64, i32, i64, u8 };

template <typename T>
constexpr NumberType number_type_of() {
  if constexpr (std::is_same_v<T, float>) return NumberType::f32;
  else if constexpr (std::is_same_v<T, double>) return NumberType::f64;
  else if constexpr (std::is_same_v<T, std::int32_t>) return NumberType::i32;
  else if constexpr (std::is_same_v<T, std::int64_t>) return NumberType::i64;
  else {
    static_assert(std::is_same_v<T, std::uint8_t>);
    return NumberType::u8;
  }
}

struct TensorRef {
  std::string name;  // a path: "encoder/hidden/w"
  NumberType type = NumberType::f32;
  Shape shape;
  std::span<std::byte> bytes;

  template <typename T>
  static TensorRef of(std::string name, std::span<T> values, Shape shape) {
    return {std::move(name), number_type_of<T>(), shape, std::as_writable_bytes(values)};
  }
  template <typename T>
  static TensorRef of(std::string name, Tensor<T>& tensor) {
    return of(std::move(name), tensor.span(), tensor.shape());
  }
};

// Copies `from` into the tensor of the same name. A name, type or shape that does not fit is a data
// error that names no file: the caller adds it.
void fill_tensors(std::span<const TensorRef> to, std::span<const TensorRef> from);

}  // namespace logpx
