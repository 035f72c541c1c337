#include "formats/import/npy_header.hpp"

#include "formats/file/signature.hpp"
#include "formats/import/array_importer.hpp"
#include "formats/import/whole_numbers.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"

#include <array>

namespace logpx {
namespace {

constexpr std::size_t max_header = 64 * 1024;

[[noreturn]] void fail_header(const std::string& name, const std::string& what) {
  fail(ErrorKind::data, name, "npy header: " + what);
}

// A Python literal such as {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }, of which
// only what numpy writes is understood.
class HeaderText {
 public:
  HeaderText(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  // The text after "'key':".
  [[nodiscard]] std::string_view value_of(std::string_view key) const {
    const std::string quoted = "'" + std::string(key) + "'";
    const std::size_t at = text_.find(quoted);
    if (at == std::string_view::npos) fail_header(name_, "no " + quoted);
    std::string_view rest = skip_blanks(text_.substr(at + quoted.size()));
    if (!rest.starts_with(':')) fail_header(name_, "no colon after " + quoted);
    return skip_blanks(rest.substr(1));
  }

  [[nodiscard]] std::string type() const {
    const std::string_view value = value_of("descr");
    if (value.empty() || value[0] != '\'') return std::string(value.substr(0, value.find(']') + 1));
    return std::string(value.substr(1, value.find('\'', 1) - 1));
  }

  [[nodiscard]] bool column_major() const {
    const std::string_view value = value_of("fortran_order");
    if (!value.starts_with("True") && !value.starts_with("False"))
      fail_header(name_, "fortran_order is neither True nor False");
    return value.starts_with("True");
  }

  [[nodiscard]] std::vector<std::int64_t> shape() const {
    const std::string_view value = value_of("shape");
    const std::size_t end = value.find(')');
    if (!value.starts_with('(') || end == std::string_view::npos)
      fail_header(name_, "shape is not a tuple");
    std::vector<std::int64_t> sizes;
    for (const std::string& part : split_text(value.substr(1, end - 1), ',')) {
      const std::string_view digits = skip_blanks(part);
      if (digits.empty()) continue;  // after the last comma
      const auto size = parse_integer(digits.substr(0, digits.find_last_not_of(" L") + 1));
      if (!size) fail_header(name_, "shape has '" + part + "'");
      sizes.push_back(*size);
    }
    return sizes;
  }

 private:
  [[nodiscard]] static std::string_view skip_blanks(std::string_view text) {
    const std::size_t start = text.find_first_not_of(' ');
    return start == std::string_view::npos ? std::string_view() : text.substr(start);
  }

  std::string_view text_;
  const std::string& name_;
};

NumberType npy_type(const std::string& text, const std::string& name) {
  static constexpr std::array<std::pair<std::string_view, NumberType>, 11> types = {{
      {"u1", NumberType::u8},
      {"b1", NumberType::u8},
      {"i1", NumberType::i8},
      {"u2", NumberType::u16},
      {"i2", NumberType::i16},
      {"u4", NumberType::u32},
      {"i4", NumberType::i32},
      {"u8", NumberType::u64},
      {"i8", NumberType::i64},
      {"f4", NumberType::f32},
      {"f8", NumberType::f64},
  }};
  if (text.size() == 3 && std::string_view("<>|=").find(text[0]) != std::string_view::npos)
    for (const auto& [word, type] : types)
      if (text.substr(1) == word) return type;
  fail(ErrorKind::data, name, "type '" + text + "' is not supported",
       "store it as one of u1 i1 i2 i4 i8 f4 f8");
}

std::unique_ptr<Importer> open_npy(Inputs inputs, const ImportOptions& options) {
  Inputs files = unpacked(std::move(inputs), options.members), labels;
  for (const std::string& path : options.labels) labels.emplace_back(path);
  std::vector<OpenArray> examples = open_arrays(std::move(files), read_npy_header);
  ImportRecord record;
  const ImportOptions kept = keep_integers(examples, options, record);
  return import_arrays(std::move(examples),
                       open_arrays(unpacked(std::move(labels)), read_npy_header), kept,
                       std::move(record));
}

}  // namespace

ArrayLayout read_npy_header(ByteStream& stream) {
  const std::string& name = stream.name();
  std::array<std::byte, signature_bytes> start{};
  const std::size_t got = stream.read(std::span(start).first(8));
  if (got == 0) fail(ErrorKind::data, name, "is empty");
  if (got < 8 || !begins_with(start, "\x93NUMPY")) {
    const std::size_t more = stream.read(std::span(start).subspan(got));
    const std::size_t shown = std::min<std::size_t>(got, 4);
    fail(ErrorKind::data, name,
         "not npy (first bytes " + hex_words(std::span(start).first(shown)) + ")",
         looks_like_hint(std::span(start).first(got + more)));
  }
  const int version = std::to_integer<int>(start[6]);
  if (version < 1 || version > 3)
    fail_header(name, "version " + std::to_string(version) + " is not known");
  std::array<std::byte, 4> length{};
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  const auto type = version == 1 ? NumberType::u16 : NumberType::u32;
  if (stream.read(std::span(length).first(length_bytes)) < length_bytes)
    fail_header(name, "ends early");
  const auto size = static_cast<std::size_t>(load_number(length.data(), type, false));
  if (size > max_header)
    fail_header(name, "has " + std::to_string(size) + " bytes, at most 65536 allowed");
  std::string text(size, '\0');
  if (stream.read(std::as_writable_bytes(std::span(text))) < size) fail_header(name, "ends early");

  const HeaderText header(text, name);
  const std::string descr = header.type();
  ArrayLayout layout{.type = npy_type(descr, name),
                     .big_endian = descr[0] == '>',
                     .column_major = header.column_major(),
                     .sizes = header.shape()};
  if (layout.sizes.empty()) fail(ErrorKind::data, name, "is a single number, expected examples");
  if (layout.sizes.size() > 8) fail_header(name, "has more than 8 dimensions");
  check_sizes(layout, name);
  const std::uint64_t taken = 8 + length_bytes + size;
  if (const auto whole = stream.size(); whole && *whole - taken != layout.bytes())
    fail_payload(layout, *whole - taken, name);
  return layout;
}

namespace foreign {

ImportFormat npy() {
  return {.word = "npy",
          .says = "an array of NumPy",
          .known_by = {{"a NumPy array", "\x93NUMPY"}},
          .options = {"members", "labels", "shape", "content", "levels", "standardise"},
          .open = open_npy};
}

}  // namespace foreign
}  // namespace logpx
