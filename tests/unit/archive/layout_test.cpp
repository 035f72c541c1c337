#include "formats/archive/exceptions.hpp"
#include "formats/archive/tiling.hpp"
#include "libcore/base/error.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

namespace logpx::layout_test {

using namespace logpx::archive;

namespace {

ByteVector npy(const std::string& dict) {
  WireWriter out;
  out.text("\x93NUMPY").u8(1).u8(0).u16(static_cast<std::uint16_t>(dict.size())).text(dict);
  return out.bytes();
}

ByteVector counted(std::size_t size) {
  ByteVector bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i * 7 + i / 256);
  return bytes;
}

}  // namespace

TEST_CASE("layout: headers of arrays and pictures are found and nothing else") {
  using std::string_view_literals::operator""sv;
  const auto idx = find_layout(bytes_of("\0\0\x08\x03\0\0\0\x02\0\0\0\x03\0\0\0\x04rest"sv));
  REQUIRE(idx);
  CHECK(idx->kind == MemberKind::idx);
  CHECK(idx->header_bytes == 16);
  CHECK(idx->rasters == 2);
  CHECK(idx->shape == RasterShape{3, 4, 1});
  CHECK_FALSE(find_layout(bytes_of("\0\0\x0d\x03\0\0\0\x02\0\0\0\x03\0\0\0\x04"sv)));  // floats
  CHECK_FALSE(find_layout(bytes_of("\0\0\x08\x03\0\0\0\x02\0\0\0\x03\0\0\0"sv)));
  CHECK_FALSE(find_layout(bytes_of("\0\0\x08\x03\0\0\0\x02\0\0\0\0\0\0\0\x04"sv)));
  CHECK_FALSE(
      find_layout(bytes_of("\0\0\x08\x03\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"sv)));

  const auto ppm = find_layout(bytes_of("P6 # a comment\n3\t2 255\n..................more"));
  REQUIRE(ppm);
  CHECK(ppm->header_bytes == 23);
  CHECK(ppm->shape == RasterShape{2, 3, 3});
  const auto pbm = find_layout(bytes_of("P4 11 5\n.........."));
  REQUIRE(pbm);
  CHECK(pbm->packed_bits);
  CHECK(pbm->shape == RasterShape{5, 16, 1});
  CHECK(pbm->file_bytes() == 10);
  CHECK_FALSE(find_layout(bytes_of("P5 3 2 65535\n............")));
  CHECK_FALSE(find_layout(bytes_of("P5 3 2")));
  CHECK_FALSE(find_layout(bytes_of("P5 0 2 255\n")));
  CHECK_FALSE(find_layout(bytes_of("Peter 5 3 255 ")));
  CHECK_FALSE(find_layout({}));

  const auto array =
      find_layout(npy("{'descr': '|u1', 'fortran_order': False, 'shape': (5, 8), }\n"));
  REQUIRE(array);
  CHECK(array->shape == RasterShape{1, 8, 1});
  CHECK(array->rasters == 5);
  CHECK_FALSE(find_layout(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (5, 8), }\n")));
  CHECK_FALSE(find_layout(npy("{'descr': '|u1', 'fortran_order': True, 'shape': (5, 8), }\n")));
  CHECK_FALSE(find_layout(npy("{'descr': '|u1'")));
  CHECK_FALSE(find_layout(
      npy("{'descr': '|u1', 'fortran_order': False, 'shape': (9000000000000, 1000000, 900), }\n")));
}

TEST_CASE("layout: a header read back from its own bytes gives the same layout") {
  const std::string_view file = "P5 7 9 255\n";
  const auto whole = find_layout(bytes_of(std::string(file) + std::string(63, 'x')));
  const auto again = find_layout(bytes_of(file));
  REQUIRE((whole && again));
  CHECK(again->header_bytes == file.size());
  CHECK(whole->shape == again->shape);
}

TEST_CASE("layout: bits unpack to samples and pack back") {
  const ByteVector packed = counted(40);
  const ByteVector samples = unpack_bits(packed);
  CHECK(samples.size() == 320);
  CHECK(std::ranges::all_of(samples, [](std::byte b) { return b <= std::byte{1}; }));
  CHECK(unpack_bits(bytes_of("\xa0"))[0] == std::byte{1});
  CHECK(unpack_bits(bytes_of("\xa0"))[1] == std::byte{0});
  CHECK(pack_bits(samples) == packed);
}

TEST_CASE("tiling: every order is undone") {
  const RasterShape rasters[] = {{28, 28, 1}, {30, 61, 1}, {64, 64, 3}, {9, 8, 3}, {8, 8, 3}};
  const RasterShape items[] = {{28, 28, 1}, {8, 8, 3}, {1, 784, 1}, {5, 3, 1}};
  int fitting = 0;
  for (const RasterShape& raster : rasters)
    for (const RasterShape& item : items) {
      if (!tiles_fit(raster, item)) continue;
      ++fitting;
      const Tiling tiling(raster, item, 7);
      for (const std::int64_t count : {std::int64_t{1}, std::int64_t{3}}) {
        const ByteVector samples = counted(static_cast<std::size_t>(raster.size() * count));
        const ByteVector arranged = tiling.arrange(samples);
        CHECK(tiling.restore(arranged) == samples);
        CHECK(tiling.tiled_samples(count) <= raster.size() * count);
      }
    }
  CHECK(fitting == 8);
}

TEST_CASE("tiling: tiles come first and row by row") {
  // 1 2 3 / 4 5 6 / 7 8 9 with tiles of 2 x 2: one tile, then the right strip, then the last row.
  const ByteVector samples = counted(9);
  const Tiling tiling({3, 3, 1}, {2, 2, 1}, 100);
  CHECK(tiling.tiles() == 1);
  CHECK(tiling.group_rasters() == 100);
  const std::size_t order[] = {0, 1, 3, 4, 2, 5, 6, 7, 8};
  const ByteVector arranged = tiling.arrange(samples);
  for (std::size_t i = 0; i < 9; ++i) CHECK(arranged[i] == samples[order[i]]);
}

TEST_CASE("exceptions: what the alphabet lacks is replaced and put back") {
  const std::string text = "plain Words, and more plain words\n";
  Exceptions found;
  found.scan(bytes_of(text.substr(0, 10)), " abcdefghijklmnopqrstuvwxyz");
  found.scan(bytes_of(text.substr(10)), " abcdefghijklmnopqrstuvwxyz");
  CHECK(found.bytes() == text.size());
  CHECK(found.count() == 3);
  CHECK_FALSE(found.few());
  const Exceptions parsed = Exceptions::parse(found.serialise());
  ByteVector bytes(bytes_of(text).begin(), bytes_of(text).end());
  parsed.replace(std::span(bytes).first(20), 0, ' ');
  parsed.replace(std::span(bytes).subspan(20), 20, ' ');
  CHECK(bytes[6] == std::byte{' '});
  CHECK(bytes.back() == std::byte{' '});
  parsed.restore(std::span(bytes).subspan(20), 20);
  parsed.restore(std::span(bytes).first(20), 0);
  CHECK(std::ranges::equal(bytes, bytes_of(text)));
}

TEST_CASE("exceptions: lists that nobody wrote are refused") {
  CHECK_THROWS_AS((void)Exceptions::parse(bytes_of("\x05")), Error);
  CHECK_THROWS_AS((void)Exceptions::parse(bytes_of("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01x")),
                  Error);
  CHECK_THROWS_AS((void)Exceptions::parse(ByteVector(4)), Error);  // twice at place 0
  CHECK(Exceptions::parse({}).count() == 0);
}

}  // namespace logpx::layout_test
