// Arrays of numbers as IDX, npy and MATLAB files hold them, and the rule by which they become rows.
#pragma once

#include "formats/import/byte_source.hpp"
#include "formats/import/options.hpp"
#include "libcore/data/dataset.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace logpx {

enum class NumberType { u8, i8, u16, i16, u32, i32, u64, i64, f32, f64 };
[[nodiscard]] std::size_t number_size(NumberType type);
[[nodiscard]] bool is_real(NumberType type);

struct ArrayLayout {
  NumberType type = NumberType::u8;
  bool big_endian = false;
  bool column_major = false;
  std::vector<std::int64_t> sizes;  // examples first

  [[nodiscard]] std::uint64_t row_elements() const;
  [[nodiscard]] std::uint64_t row_bytes() const { return row_elements() * number_size(type); }
  [[nodiscard]] std::uint64_t bytes() const {
    return static_cast<std::uint64_t>(sizes[0]) * row_bytes();
  }
};

// Sizes as a file declares them, checked before anything is allocated: each in 1..2^31, the product
// in bytes below 2^62, one example at most 256 MiB. `name` is the file.
void check_sizes(const ArrayLayout& layout, const std::string& name);
// "60000 x 28 x 28 needs 47040000 bytes, has 47039999"
[[noreturn]] void fail_payload(const ArrayLayout& layout, std::uint64_t has,
                               const std::string& name);

// One number, wherever it is stored.
[[nodiscard]] double load_number(const std::byte* at, NumberType type, bool big_endian);

// Bytes of rank 3 or 4.
[[nodiscard]] bool is_image_by_rank(const ArrayLayout& layout);
// What rows of such an array are, by --shape, --content, --levels and the rank; pixels are uint8,
// symbols uint8 or uint16, all else is a vector of float32.
[[nodiscard]] DatasetInfo describe_rows(const ArrayLayout& layout, const ImportOptions& options,
                                        const std::string& name);
// The info of an image of whole numbers 0..255, of symbols.
[[nodiscard]] DatasetInfo image_info(std::vector<std::int64_t> shape);
[[nodiscard]] DatasetInfo symbols_info(std::int64_t dims, std::int64_t levels);

// Fills rows from raw elements. Errors name file, row and element.
class RowConverter {
 public:
  RowConverter(ArrayLayout layout, DatasetInfo info) : layout_(std::move(layout)), info_(info) {}
  void append(std::span<const std::byte> raw, std::int64_t first_row, const std::string& name,
              Rows& rows);

 private:
  template <typename T, typename Convert>
  void each(std::span<const std::byte> raw, std::byte* out, Convert convert) const;

  ArrayLayout layout_;
  DatasetInfo info_;
};

// A value as a label: a whole number of int32.
[[nodiscard]] std::int32_t label_of(double value, std::int64_t row, const std::string& name);

}  // namespace logpx
