#include "formats/import/mat_variable.hpp"
#include "libcore/base/error.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>

namespace logpx {
namespace {

constexpr std::uint32_t matrix_tag = 14, compressed_tag = 15;
constexpr std::uint64_t header_bytes = 128, tag_bytes = 8;

struct Tag {
  std::uint32_t type = 0;
  std::uint64_t bytes = 0;
};

Tag tag_of(std::span<const std::byte> bytes, bool big_endian) {
  return {static_cast<std::uint32_t>(load_number(bytes.data(), NumberType::u32, big_endian)),
          static_cast<std::uint64_t>(load_number(bytes.data() + 4, NumberType::u32, big_endian))};
}

constexpr std::size_t header_part = 8192;  // flags, sizes and name of a matrix lie in here
constexpr std::uint64_t max_rank = 32, max_name = 4096;

// The elements at the head of a matrix, one after the other. Their sizes are checked before
// libmatio allocates by them.
class MatrixHeader {
 public:
  MatrixHeader(std::span<const std::byte> start, bool big_endian, const std::string& file)
      : start_(start.first(std::min(start.size(), header_part))),
        big_endian_(big_endian),
        file_(file) {}

  void check(std::uint64_t matrix_bytes) {
    const Element flags = take();
    require(flags.type == 6 && flags.bytes == 8);
    const unsigned array_class = number(flags.at) & 255;
    std::uint64_t elements = 1;
    if (array_class != 17) elements = take_sizes();  // an opaque object has none
    const Element name = take();
    require(name.type == 1 && name.bytes <= max_name);
    if (array_class >= 1 && array_class <= 3) require(elements <= matrix_bytes);  // cells, structs
    if (array_class < 6 || array_class > 15 || elements == 0) return;
    const Element values = take_tag();
    const std::uint64_t width = storage_bytes(values.type);
    require(width > 0 && elements <= matrix_bytes && elements * width == values.bytes &&
            values.at + values.bytes <= matrix_bytes);
  }

 private:
  struct Element {
    std::uint32_t type = 0;
    std::uint64_t bytes = 0, at = 0;  // of its data
  };

  void require(bool good) const {
    if (!good) fail(ErrorKind::data, file_, "the header of a variable is damaged");
  }
  [[nodiscard]] std::uint32_t number(std::uint64_t at) const {
    require(at + 4 <= start_.size());
    return static_cast<std::uint32_t>(load_number(&start_[at], NumberType::u32, big_endian_));
  }

  // Four bytes or less may be inside the tag itself: size and type then share its first word.
  Element take_tag() {
    const std::uint32_t word = number(at_);
    if (word >> 16 != 0) {
      require(word >> 16 <= 4);
      return {word & 0xffff, word >> 16, at_ + 4};
    }
    return {word, number(at_ + 4), at_ + 8};
  }
  Element take() {
    const Element element = take_tag();
    const std::uint64_t end = element.at + element.bytes;
    require(end <= start_.size());
    at_ = (end + 7) / 8 * 8;
    return element;
  }
  std::uint64_t take_sizes() {
    const Element sizes = take();
    require(sizes.type == 5 && sizes.bytes % 4 == 0 && sizes.bytes >= 8 &&
            sizes.bytes <= 4 * max_rank);
    std::uint64_t product = 1;
    for (std::uint64_t i = 0; i < sizes.bytes; i += 4) {
      const std::uint64_t size = number(sizes.at + i);
      require(size == 0 || product <= (std::uint64_t{1} << 60) / size);
      product *= size;
    }
    return product;
  }
  [[nodiscard]] static std::uint64_t storage_bytes(std::uint32_t type) {
    switch (type) {
      case 1:
      case 2: return 1;
      case 3:
      case 4: return 2;
      case 5:
      case 6:
      case 7: return 4;
      case 9:
      case 12:
      case 13: return 8;
      default: return 0;
    }
  }

  std::span<const std::byte> start_;
  bool big_endian_;
  const std::string& file_;
  std::uint64_t at_ = 0;
};

struct Inflater {
  z_stream stream{};
  Inflater() { inflateInit(&stream); }
  ~Inflater() { inflateEnd(&stream); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
};

// Inflates the element at `at` without keeping it: one matrix, exactly as long as its tag says.
void check_compressed(const SeekableBytes& file, std::uint64_t at, std::uint64_t size,
                      bool big_endian) {
  Inflater inflater;
  z_stream& stream = inflater.stream;
  std::vector<std::byte> in(64 * 1024), out(256 * 1024);
  std::uint64_t left = size, made = 0, declared = 0;
  int status = Z_OK;
  while (status == Z_OK) {
    if (stream.avail_in == 0) {
      const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(in.size(), left));
      file.read_at(at, std::span(in).first(count));
      at += count;
      left -= count;
      stream.next_in = reinterpret_cast<Bytef*>(in.data());
      stream.avail_in = static_cast<uInt>(count);
    }
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    status = inflate(&stream, Z_NO_FLUSH);
    const std::size_t count = out.size() - stream.avail_out;
    if (made == 0 && count >= tag_bytes) {
      const Tag tag = tag_of(out, big_endian);
      if (tag.type != matrix_tag) break;
      declared = tag.bytes + tag_bytes;
      MatrixHeader(std::span(out).first(count).subspan(tag_bytes), big_endian, file.name())
          .check(tag.bytes);
    }
    made += count;
  }
  if (status != Z_STREAM_END || left + stream.avail_in > 0 || made != declared)
    fail(ErrorKind::data, file.name(), "a compressed variable is damaged");
}

}  // namespace

void walk_mat5(const SeekableBytes& file) {
  std::array<std::byte, header_bytes> header{};
  file.read_at(0, header);
  const bool big_endian = header[126] == std::byte{'M'} && header[127] == std::byte{'I'};
  const bool little_endian = header[126] == std::byte{'I'} && header[127] == std::byte{'M'};
  if (!big_endian && !little_endian)
    fail(ErrorKind::data, file.name(), "MATLAB header has no byte order");
  // With another version number libmatio would use another reader than the one checked here.
  if (load_number(&header[124], NumberType::u16, big_endian) != 0x0100)
    fail(ErrorKind::data, file.name(), "MATLAB header has an unknown version");
  std::uint64_t at = header_bytes;
  while (at < file.size()) {
    std::array<std::byte, tag_bytes> bytes{};
    if (file.size() - at < tag_bytes) fail(ErrorKind::data, file.name(), "ends inside a variable");
    file.read_at(at, bytes);
    const Tag tag = tag_of(bytes, big_endian);
    if (tag.type != matrix_tag && tag.type != compressed_tag)
      fail(ErrorKind::data, file.name(),
           "byte " + std::to_string(at) + " begins no variable (tag " + std::to_string(tag.type) +
               ")");
    at += tag_bytes;
    if (tag.bytes > file.size() - at)
      fail(ErrorKind::data, file.name(),
           "ends early: a variable needs " + std::to_string(tag.bytes) + " bytes, has " +
               std::to_string(file.size() - at));
    if (tag.type == compressed_tag) {
      check_compressed(file, at, tag.bytes, big_endian);
    } else {
      std::vector<std::byte> start(
          static_cast<std::size_t>(std::min<std::uint64_t>(tag.bytes, header_part)));
      file.read_at(at, start);
      MatrixHeader(start, big_endian, file.name()).check(tag.bytes);
    }
    at += tag.bytes;
  }
}

}  // namespace logpx
