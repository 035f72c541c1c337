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
  // By another version libmatio would choose another reader than the one that is walked here.
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
    if (tag.type == compressed_tag) check_compressed(file, at, tag.bytes, big_endian);
    at += tag.bytes;
  }
}

}  // namespace logpx
