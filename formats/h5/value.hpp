// What an HDF5 file holds, described without HDF5: element types, shapes, values read whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace logpx::h5 {

// `other` is anything that logpx does not write: compounds, references, enumerations.
enum class ValueType { u8, i8, u16, i16, u32, i32, u64, i64, f32, f64, str, other };

[[nodiscard]] const char* word_of(ValueType type);     // "u8" ... as in content hashes and manuals
[[nodiscard]] std::size_t value_size(ValueType type);  // bytes of a number; 0 for str and other
[[nodiscard]] inline bool is_number(ValueType type) { return value_size(type) > 0; }

using Shape = std::vector<std::int64_t>;  // empty: a scalar

// Product of the sizes; -1 when it does not fit 63 bits or a size is negative.
[[nodiscard]] std::int64_t element_count(const Shape& shape);
[[nodiscard]] std::string shape_text(const Shape& shape);  // "[60000, 28, 28, 1]"

template <typename T>
constexpr ValueType value_type_of() {
  if constexpr (std::is_same_v<T, std::uint8_t>) return ValueType::u8;
  else if constexpr (std::is_same_v<T, std::int8_t>) return ValueType::i8;
  else if constexpr (std::is_same_v<T, std::uint16_t>) return ValueType::u16;
  else if constexpr (std::is_same_v<T, std::int16_t>) return ValueType::i16;
  else if constexpr (std::is_same_v<T, std::uint32_t>) return ValueType::u32;
  else if constexpr (std::is_same_v<T, std::int32_t>) return ValueType::i32;
  else if constexpr (std::is_same_v<T, std::uint64_t>) return ValueType::u64;
  else if constexpr (std::is_same_v<T, std::int64_t>) return ValueType::i64;
  else if constexpr (std::is_same_v<T, float>) return ValueType::f32;
  else {
    static_assert(std::is_same_v<T, double>, "no HDF5 type for this element");
    return ValueType::f64;
  }
}

// Type and shape of a dataset or attribute.
struct Description {
  ValueType type = ValueType::other;
  Shape shape;
  std::uint64_t stored_bytes = 0;  // on disk, after compression; 0 for attributes

  friend bool operator==(const Description&, const Description&) = default;
};

// A dataset or attribute in memory: numbers as row-major bytes in native order, or texts.
struct Value {
  ValueType type = ValueType::other;
  Shape shape;
  std::vector<std::byte> bytes;
  std::vector<std::string> texts;

  template <typename T>
  static Value of(std::span<const T> elements, Shape shape) {
    const auto bytes = std::as_bytes(elements);
    return {value_type_of<T>(), std::move(shape), {bytes.begin(), bytes.end()}, {}};
  }
  template <typename T>
  static Value scalar(T element) {
    return of(std::span<const T>(&element, 1), {});
  }
  static Value text(std::string text) { return {ValueType::str, {}, {}, {std::move(text)}}; }

  // The numbers as T, which must be the stored type.
  template <typename T>
  [[nodiscard]] std::span<const T> as() const {
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
  }
  // SHA-256 as content hashes want it: numbers little-endian; each text followed by one NUL.
  [[nodiscard]] std::string sha256() const;

  friend bool operator==(const Value&, const Value&) = default;
};

}  // namespace logpx::h5
