#include "formats/import/array.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/data/real_vectors.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace logpx {
namespace {

constexpr std::uint64_t max_array_bytes = std::uint64_t{1} << 62;
constexpr std::uint64_t max_row_bytes = std::uint64_t{256} << 20;
constexpr std::int64_t max_size = std::int64_t{1} << 31;

template <typename T>
T load(const std::byte* at, bool swap) {
  std::array<std::byte, sizeof(T)> bytes;
  std::memcpy(bytes.data(), at, sizeof(T));
  if (swap) std::reverse(bytes.begin(), bytes.end());
  return std::bit_cast<T>(bytes);
}

// Calls visitor.operator()<T>() with the C++ type of `type`.
template <typename Visitor>
decltype(auto) with_type(NumberType type, Visitor visitor) {
  switch (type) {
    case NumberType::u8: return visitor.template operator()<std::uint8_t>();
    case NumberType::i8: return visitor.template operator()<std::int8_t>();
    case NumberType::u16: return visitor.template operator()<std::uint16_t>();
    case NumberType::i16: return visitor.template operator()<std::int16_t>();
    case NumberType::u32: return visitor.template operator()<std::uint32_t>();
    case NumberType::i32: return visitor.template operator()<std::int32_t>();
    case NumberType::u64: return visitor.template operator()<std::uint64_t>();
    case NumberType::i64: return visitor.template operator()<std::int64_t>();
    case NumberType::f32: return visitor.template operator()<float>();
    case NumberType::f64: break;
  }
  return visitor.template operator()<double>();
}

bool is_foreign(bool big_endian) { return big_endian != (std::endian::native == std::endian::big); }

std::string sizes_text(const std::vector<std::int64_t>& sizes) {
  std::vector<std::string> words;
  for (const std::int64_t size : sizes) words.push_back(std::to_string(size));
  return join_text(words, " x ");
}

[[noreturn]] void fail_value(const std::string& name, std::int64_t row, std::int64_t element,
                             const std::string& message) {
  fail(ErrorKind::data, name,
       "row " + std::to_string(row) + ", element " + std::to_string(element) + ": " + message);
}

std::vector<std::int64_t> image_shape(const ArrayLayout& layout, const std::string& name) {
  std::vector<std::int64_t> shape;
  for (std::size_t i = 1; i < layout.sizes.size(); ++i) shape.push_back(layout.sizes[i]);
  if (shape.size() == 2) shape.push_back(1);
  if (shape.size() != 3)
    fail(ErrorKind::data, name,
         "has shape [" + sizes_text(layout.sizes) + "], images need a rank of 3 or 4",
         "--shape H,W,C");
  if (shape[2] > 4)
    fail(ErrorKind::data, name,
         "has " + std::to_string(shape[2]) + " channels, an image has 1 to 4",
         "store it as [N, H, W, C]");
  return shape;
}

// --shape against the size of one example.
std::vector<std::int64_t> asked_shape(const ArrayLayout& layout, const ImportOptions& options,
                                      const std::string& name) {
  std::vector<std::int64_t> shape = options.shape;
  if (shape.size() == 2) shape.push_back(1);
  if (shape.size() != 3) fail(ErrorKind::usage, "--shape", "takes H,W or H,W,C");
  std::uint64_t product = 1;
  for (const std::int64_t size : shape) {
    if (size < 1 || size > 32768) fail(ErrorKind::usage, "--shape", "sizes lie in 1..32768");
    product *= static_cast<std::uint64_t>(size);
  }
  if (product != layout.row_elements())
    fail(ErrorKind::data, name,
         "an example has " + std::to_string(layout.row_elements()) + " values, --shape " +
             sizes_text(shape) + " wants " + std::to_string(product));
  return shape;
}

}  // namespace

std::size_t number_size(NumberType type) {
  return with_type(type, []<typename T>() { return sizeof(T); });
}

bool is_real(NumberType type) { return type == NumberType::f32 || type == NumberType::f64; }

double load_number(const std::byte* at, NumberType type, bool big_endian) {
  const bool swap = is_foreign(big_endian);
  return with_type(type, [&]<typename T>() { return static_cast<double>(load<T>(at, swap)); });
}

std::uint64_t ArrayLayout::row_elements() const {
  std::uint64_t product = 1;
  for (std::size_t i = 1; i < sizes.size(); ++i) product *= static_cast<std::uint64_t>(sizes[i]);
  return product;
}

void check_sizes(const ArrayLayout& layout, const std::string& name) {
  std::uint64_t product = number_size(layout.type);
  for (std::size_t i = 0; i < layout.sizes.size(); ++i) {
    const std::int64_t size = layout.sizes[i];
    if (size < 1 || size > max_size)
      fail(ErrorKind::data, name,
           "dimension " + std::to_string(i + 1) + " is " + std::to_string(size));
    if (product > max_array_bytes / static_cast<std::uint64_t>(size))
      fail(ErrorKind::data, name, sizes_text(layout.sizes) + " is too large");
    product *= static_cast<std::uint64_t>(size);
  }
  if (layout.row_bytes() > max_row_bytes)
    fail(ErrorKind::data, name,
         "one example of " + sizes_text(layout.sizes) + " has " + human_bytes(layout.row_bytes()) +
             ", at most 256 MiB allowed");
}

void fail_payload(const ArrayLayout& layout, std::uint64_t has, const std::string& name) {
  fail(ErrorKind::data, name,
       sizes_text(layout.sizes) + " needs " + std::to_string(layout.bytes()) + " bytes, has " +
           std::to_string(has));
}

DatasetInfo image_info(std::vector<std::int64_t> shape) {
  DatasetInfo info;
  info.content = Content::image;
  info.shape = std::move(shape);
  info.levels = 256;
  info.value_max = 255;
  return info;
}

DatasetInfo symbols_info(std::int64_t dims, std::int64_t levels) {
  DatasetInfo info;
  info.content = Content::symbols;
  info.element = levels > 256 ? Element::u16 : Element::u8;
  info.shape = {dims};
  info.levels = levels;
  info.value_max = static_cast<double>(levels - 1);
  return info;
}

bool is_image_by_rank(const ArrayLayout& layout) {
  const std::size_t rank = layout.sizes.size();
  return layout.type == NumberType::u8 && (rank == 3 || rank == 4);
}

DatasetInfo describe_rows(const ArrayLayout& layout, const ImportOptions& options,
                          const std::string& name) {
  const auto dims = static_cast<std::int64_t>(layout.row_elements());
  if (!options.shape.empty()) return image_info(asked_shape(layout, options, name));
  const bool looks_like_image = is_image_by_rank(layout) && options.content == Reading::by_rank;
  if (looks_like_image || options.content == Reading::image)
    return image_info(image_shape(layout, name));
  if (options.content == Reading::symbols) return symbols_info(dims, options.levels.value_or(256));
  if (options.content == Reading::bytes) {
    DatasetInfo info = symbols_info(dims, 256);
    info.content = Content::bytes;
    return info;
  }
  return real_vectors(dims);
}

template <typename T, typename Convert>
void RowConverter::each(std::span<const std::byte> raw, std::byte* out, Convert convert) const {
  const bool swap = is_foreign(layout_.big_endian);
  const std::size_t out_size = element_size(info_.element);
  for (std::size_t i = 0; i * sizeof(T) < raw.size(); ++i)
    convert(load<T>(raw.data() + i * sizeof(T), swap), i, out + i * out_size);
}

void RowConverter::append(std::span<const std::byte> raw, std::int64_t first_row,
                          const std::string& name, Rows& rows) {
  const std::size_t elements = raw.size() / number_size(layout_.type);
  const std::size_t before = rows.x.size();
  rows.x.resize(before + elements * element_size(info_.element));
  rows.count += static_cast<std::int64_t>(elements / layout_.row_elements());
  std::byte* out = rows.x.data() + before;
  if (layout_.type == NumberType::u8 && info_.element == Element::u8 && info_.levels == 256) {
    std::copy(raw.begin(), raw.end(), out);
    return;
  }
  const auto width = static_cast<std::int64_t>(layout_.row_elements());
  const auto refuse = [&](std::size_t i, const std::string& message) {
    const auto at = static_cast<std::int64_t>(i);
    fail_value(name, first_row + at / width, at % width, message);
  };
  with_type(layout_.type, [&]<typename T>() {
    each<T>(raw, out, [&](T value, std::size_t i, std::byte* at) {
      const auto number = static_cast<double>(value);
      if (info_.element == Element::f32) {
        const auto real = static_cast<float>(number);
        if (!std::isfinite(real)) refuse(i, "'" + to_text(number) + "' is not a finite float32");
        if (std::is_integral_v<T> &&
            static_cast<long double>(real) != static_cast<long double>(value))
          refuse(i,
                 '\'' + std::to_string(value) + "' is a whole number that float32 does not hold");
        std::memcpy(at, &real, sizeof real);
        return;
      }
      if (!(number >= 0 && number < static_cast<double>(info_.levels)) ||
          number != std::floor(number))
        refuse(i, "'" + to_text(number) + "' is not a whole number in 0.." +
                      std::to_string(info_.levels - 1));
      const auto symbol = static_cast<std::uint16_t>(number);
      if (info_.element == Element::u16) std::memcpy(at, &symbol, sizeof symbol);
      else *at = static_cast<std::byte>(symbol);
    });
  });
}

std::int32_t label_of(double value, std::int64_t row, const std::string& name) {
  constexpr double limit = std::numeric_limits<std::int32_t>::max();
  if (!(std::abs(value) <= limit) || value != std::floor(value))
    fail(
        ErrorKind::data, name,
        "label " + to_text(value) + " at record " + std::to_string(row) + " is not a whole number");
  return static_cast<std::int32_t>(value);
}

}  // namespace logpx
