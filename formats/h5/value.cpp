#include "formats/h5/value.hpp"

#include "libcore/base/hash.hpp"

#include <bit>

namespace logpx::h5 {

static_assert(std::endian::native == std::endian::little,
              "content hashes are of little-endian elements");

const char* word_of(ValueType type) {
  static constexpr const char* words[] = {"u8",  "i8",  "u16", "i16", "u32", "i32",
                                          "u64", "i64", "f32", "f64", "str", "other"};
  return words[static_cast<int>(type)];
}

std::size_t value_size(ValueType type) {
  switch (type) {
    case ValueType::u8:
    case ValueType::i8: return 1;
    case ValueType::u16:
    case ValueType::i16: return 2;
    case ValueType::u32:
    case ValueType::i32:
    case ValueType::f32: return 4;
    case ValueType::u64:
    case ValueType::i64:
    case ValueType::f64: return 8;
    case ValueType::str:
    case ValueType::other: break;
  }
  return 0;
}

std::int64_t element_count(const Shape& shape) {
  std::int64_t count = 1;
  for (const std::int64_t size : shape)
    if (size < 0 || __builtin_mul_overflow(count, size, &count)) return -1;
  return count;
}

std::string shape_text(const Shape& shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  return text + ']';
}

std::string Value::sha256() const {
  Sha256 hash;
  hash.update(bytes);
  for (const std::string& text : texts) {
    hash.update(text);
    hash.update(std::string_view("\0", 1));
  }
  return hash.hex();
}

}  // namespace logpx::h5
