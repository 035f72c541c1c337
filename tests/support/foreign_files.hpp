// Foreign files made by the tests themselves, byte by byte, and what packing them gives.
#pragma once

#include "formats/import/importer.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace logpx::testing {

using Bytes8 = std::vector<std::byte>;

[[nodiscard]] Bytes8 bytes_of(std::string_view text);
[[nodiscard]] std::string text_of(const Bytes8& bytes);
void write_bytes(const std::string& path, const Bytes8& bytes);
void append(Bytes8& to, const Bytes8& more);
// `width` bytes of a number, most or least significant first.
[[nodiscard]] Bytes8 big_endian(std::uint64_t value, std::size_t width);
[[nodiscard]] Bytes8 little_endian(std::uint64_t value, std::size_t width);
// 0, 7, 14 ... modulo 251: bytes with a long period.
[[nodiscard]] Bytes8 ramp(std::size_t count);

[[nodiscard]] Bytes8 gzip(const Bytes8& plain);
[[nodiscard]] Bytes8 idx(int type, const std::vector<std::uint32_t>& sizes, const Bytes8& payload);
[[nodiscard]] Bytes8 npy(const std::string& descr, const std::string& shape, const Bytes8& payload,
                         const std::string& fortran_order = "False", int version = 1);

struct ZipMember {
  std::string name;
  Bytes8 bytes;
  bool deflated = false;
  bool zip64 = false;
};
[[nodiscard]] Bytes8 zip(const std::vector<ZipMember>& members);

[[nodiscard]] Bytes8 pgm(int width, int height, const Bytes8& pixels, int maxval = 255);
[[nodiscard]] Bytes8 ppm(int width, int height, const Bytes8& pixels);
// A PNG with filter 0 on every line; color 0 grey, 2 RGB, 4 grey with alpha, 6 RGBA.
[[nodiscard]] Bytes8 png(std::uint32_t width, std::uint32_t height, int depth, int color,
                         const Bytes8& pixels);

// A MATLAB level-5 file of real arrays stored as their class says, all in MATLAB order.
struct MatArray {
  std::string name;
  int array_class = 9;  // 9 uint8, 6 double
  int storage = 2;      // 2 uint8, 9 double
  std::vector<std::uint32_t> sizes;
  Bytes8 values;
};
[[nodiscard]] Bytes8 mat5(const std::vector<MatArray>& arrays, bool compressed = false);

struct Packed {
  DatasetInfo info;
  Rows rows;
  ImportRecord record;

  [[nodiscard]] std::vector<int> x() const;  // of uint8 rows
  [[nodiscard]] std::vector<float> reals() const;
};
[[nodiscard]] Packed pack(const std::string& format, std::vector<Input> inputs,
                          const ImportOptions& options = {});
[[nodiscard]] Packed pack(const std::string& format, const Bytes8& bytes,
                          const ImportOptions& options = {});
// "data|a: message|hint", or "" when nothing is wrong; a single input is called `a`.
[[nodiscard]] std::string error_of(const std::string& format, std::vector<Input> inputs,
                                   const ImportOptions& options = {});
[[nodiscard]] std::string error_of(const std::string& format, const Bytes8& bytes,
                                   const ImportOptions& options = {});

}  // namespace logpx::testing
