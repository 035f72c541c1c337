#include "tests/support/foreign_files.hpp"

#include "libcore/base/error.hpp"

#include <zlib.h>

#include <cstring>
#include <fstream>

namespace logpx::testing {
namespace {

// window_bits as zlib has them: 31 gzip, 15 zlib, -15 raw.
Bytes8 deflated(const Bytes8& plain, int window_bits) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY);
  Bytes8 out(deflateBound(&stream, static_cast<uLong>(plain.size())) + 64);
  Bytes8 in = plain;
  in.resize(in.size() + 1);  // never empty
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(plain.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  ::deflate(&stream, Z_FINISH);
  out.resize(out.size() - stream.avail_out);
  deflateEnd(&stream);
  return out;
}

std::uint32_t crc_of(const Bytes8& bytes) {
  return static_cast<std::uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
}

Bytes8 png_chunk(const std::string& type, const Bytes8& data) {
  Bytes8 body = bytes_of(type);
  append(body, data);
  Bytes8 chunk = big_endian(data.size(), 4);
  append(chunk, body);
  append(chunk, big_endian(crc_of(body), 4));
  return chunk;
}

const char* kind_word(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage: return "usage";
    case ErrorKind::data: return "data";
    case ErrorKind::numeric: return "numeric";
    case ErrorKind::io: return "io";
    case ErrorKind::refused: break;
  }
  return "refused";
}

Bytes8 mat_element(std::uint32_t type, const Bytes8& data) {
  Bytes8 element = little_endian(type, 4);
  append(element, little_endian(data.size(), 4));
  append(element, data);
  element.resize((element.size() + 7) / 8 * 8);
  return element;
}

template <typename T>
void add_column(std::vector<T>& to, const std::vector<T>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

}  // namespace

Bytes8 bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

std::string text_of(const Bytes8& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void write_bytes(const std::string& path, const Bytes8& bytes) {
  std::ofstream(path, std::ios::binary) << text_of(bytes);
}

void append(Bytes8& to, const Bytes8& more) { to.insert(to.end(), more.begin(), more.end()); }

Bytes8 big_endian(std::uint64_t value, std::size_t width) {
  Bytes8 bytes;
  for (std::size_t i = width; i-- > 0;)
    bytes.push_back(static_cast<std::byte>(value >> (8 * i) & 255));
  return bytes;
}

Bytes8 little_endian(std::uint64_t value, std::size_t width) {
  Bytes8 bytes = big_endian(value, width);
  return {bytes.rbegin(), bytes.rend()};
}

Bytes8 ramp(std::size_t count) {
  Bytes8 bytes;
  for (std::size_t i = 0; i < count; ++i) bytes.push_back(static_cast<std::byte>(i * 7 % 251));
  return bytes;
}

Bytes8 gzip(const Bytes8& plain) { return deflated(plain, 31); }

Bytes8 idx(int type, const std::vector<std::uint32_t>& sizes, const Bytes8& payload) {
  Bytes8 file = {std::byte{0}, std::byte{0}, static_cast<std::byte>(type),
                 static_cast<std::byte>(sizes.size())};
  for (const std::uint32_t size : sizes) append(file, big_endian(size, 4));
  append(file, payload);
  return file;
}

Bytes8 npy(const std::string& descr, const std::string& shape, const Bytes8& payload,
           const std::string& fortran_order, int version) {
  std::string header = "{'descr': '" + descr + "', 'fortran_order': " + fortran_order +
                       ", 'shape': " + shape + ", }";
  const std::size_t start = version == 1 ? 10 : 12;
  while ((start + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  Bytes8 file = bytes_of("\x93NUMPY");
  file.push_back(static_cast<std::byte>(version));
  file.push_back(std::byte{0});
  append(file, little_endian(header.size(), version == 1 ? 2 : 4));
  append(file, bytes_of(header));
  append(file, payload);
  return file;
}

Bytes8 zip(const std::vector<ZipMember>& members) {
  Bytes8 file, directory;
  for (const ZipMember& member : members) {
    const Bytes8 data = member.deflated ? deflated(member.bytes, -15) : member.bytes;
    const std::uint64_t offset = file.size();
    Bytes8 extra, fields = little_endian(20, 2);  // version needed
    append(fields, little_endian(0, 2));
    append(fields, little_endian(member.deflated ? 8 : 0, 2));
    append(fields, little_endian(0, 4));  // time and date
    append(fields, little_endian(crc_of(member.bytes), 4));
    append(fields, little_endian(member.zip64 ? 0xffffffff : data.size(), 4));
    append(fields, little_endian(member.zip64 ? 0xffffffff : member.bytes.size(), 4));
    append(fields, little_endian(member.name.size(), 2));
    if (member.zip64) {
      append(extra, little_endian(1, 2));
      append(extra, little_endian(16, 2));
      append(extra, little_endian(member.bytes.size(), 8));
      append(extra, little_endian(data.size(), 8));
    }
    append(fields, little_endian(extra.size(), 2));
    append(file, little_endian(0x04034b50, 4));
    append(file, fields);
    append(file, bytes_of(member.name));
    append(file, extra);
    append(file, data);
    append(directory, little_endian(0x02014b50, 4));
    append(directory, little_endian(20, 2));  // version made by
    append(directory, fields);
    append(directory, Bytes8(10));  // comment, disk, attributes
    append(directory, little_endian(offset, 4));
    append(directory, bytes_of(member.name));
    append(directory, extra);
  }
  const std::uint64_t directory_at = file.size();
  append(file, directory);
  append(file, little_endian(0x06054b50, 4));
  append(file, Bytes8(4));
  append(file, little_endian(members.size(), 2));
  append(file, little_endian(members.size(), 2));
  append(file, little_endian(directory.size(), 4));
  append(file, little_endian(directory_at, 4));
  append(file, Bytes8(2));
  return file;
}

Bytes8 pgm(int width, int height, const Bytes8& pixels, int maxval) {
  Bytes8 file = bytes_of("P5\n# made by a test\n" + std::to_string(width) + " " +
                         std::to_string(height) + "\n" + std::to_string(maxval) + "\n");
  append(file, pixels);
  return file;
}

Bytes8 ppm(int width, int height, const Bytes8& pixels) {
  Bytes8 file = bytes_of("P6 " + std::to_string(width) + " " + std::to_string(height) + " 255\n");
  append(file, pixels);
  return file;
}

Bytes8 png(std::uint32_t width, std::uint32_t height, int depth, int color, const Bytes8& pixels) {
  Bytes8 header = big_endian(width, 4);
  append(header, big_endian(height, 4));
  append(header, {static_cast<std::byte>(depth), static_cast<std::byte>(color), std::byte{0},
                  std::byte{0}, std::byte{0}});
  Bytes8 lines;
  const std::size_t line = pixels.size() / height;
  for (std::size_t y = 0; y < height; ++y) {
    lines.push_back(std::byte{0});
    lines.insert(lines.end(), pixels.begin() + static_cast<std::ptrdiff_t>(y * line),
                 pixels.begin() + static_cast<std::ptrdiff_t>((y + 1) * line));
  }
  Bytes8 file = bytes_of("\x89PNG\r\n\x1a\n");
  append(file, png_chunk("IHDR", header));
  append(file, png_chunk("IDAT", deflated(lines, 15)));
  append(file, png_chunk("IEND", {}));
  return file;
}

Bytes8 mat5(const std::vector<MatArray>& arrays, bool compressed) {
  std::string start = "MATLAB 5.0 MAT-file, made by a test";
  start.resize(124, ' ');
  Bytes8 file = bytes_of(start);
  append(file, little_endian(0x0100, 2));
  append(file, bytes_of("IM"));
  for (const MatArray& array : arrays) {
    Bytes8 flags = little_endian(static_cast<std::uint64_t>(array.array_class), 4), sizes;
    append(flags, Bytes8(4));
    for (const std::uint32_t size : array.sizes) append(sizes, little_endian(size, 4));
    Bytes8 body = mat_element(6, flags);
    append(body, mat_element(5, sizes));
    if (array.name.size() <= 4) {  // the short form: size and type share a word
      Bytes8 small = little_endian(1, 2);
      append(small, little_endian(array.name.size(), 2));
      append(small, bytes_of(array.name));
      small.resize(8);
      append(body, small);
    } else {
      append(body, mat_element(1, bytes_of(array.name)));
    }
    append(body, mat_element(static_cast<std::uint32_t>(array.storage), array.values));
    const Bytes8 matrix = mat_element(14, body);
    if (!compressed) {
      append(file, matrix);
      continue;
    }
    const Bytes8 packed = deflated(matrix, 15);
    append(file, little_endian(15, 4));
    append(file, little_endian(packed.size(), 4));
    append(file, packed);
  }
  return file;
}

std::vector<int> Packed::x() const {
  std::vector<int> values;
  for (const std::byte byte : rows.x) values.push_back(std::to_integer<int>(byte));
  return values;
}

std::vector<float> Packed::reals() const {
  const auto values = rows.values<float>();
  return {values.begin(), values.end()};
}

Packed pack(const std::string& format, std::vector<Input> inputs, const ImportOptions& options) {
  const bool automatic = format == "auto";
  const ImportFormat& entry = automatic ? detect_format(inputs.front()) : *find_format(format);
  const auto importer = open_import(entry, std::move(inputs), options);
  Packed packed;
  for (Rows rows; importer->next(rows);) {
    packed.rows.count += rows.count;
    add_column(packed.rows.x, rows.x);
    add_column(packed.rows.y, rows.y);
    add_column(packed.rows.length, rows.length);
    add_column(packed.rows.source, rows.source);
    add_column(packed.rows.smiles, rows.smiles);
  }
  packed.info = importer->info();
  packed.record = importer->finish();
  return packed;
}

Packed pack(const std::string& format, const Bytes8& bytes, const ImportOptions& options) {
  std::vector<Input> inputs;
  inputs.emplace_back("a", bytes);
  return pack(format, std::move(inputs), options);
}

std::string error_of(const std::string& format, std::vector<Input> inputs,
                     const ImportOptions& options) {
  try {
    (void)pack(format, std::move(inputs), options);
  } catch (const Error& error) {
    return std::string(kind_word(error.kind())) + '|' + error.what() + '|' + error.hint();
  }
  return "";
}

std::string error_of(const std::string& format, const Bytes8& bytes, const ImportOptions& options) {
  std::vector<Input> inputs;
  inputs.emplace_back("a", bytes);
  return error_of(format, std::move(inputs), options);
}

}  // namespace logpx::testing
