#include "formats/archive/content.hpp"
#include "formats/draw/png.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/rng.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace logpx::content_test {

using namespace logpx::archive;
using std::string_view_literals::operator""sv;

namespace {

ByteVector noise(std::size_t size, unsigned levels = 256) {
  ByteVector bytes(size);
  const Substream stream = Rng(7).stream(Stream::noise, 1);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(stream.word(i) % levels);
  return bytes;
}

ByteVector joined(std::initializer_list<ByteView> parts) {
  ByteVector bytes;
  for (const ByteView part : parts) bytes.insert(bytes.end(), part.begin(), part.end());
  return bytes;
}

ByteSupply supply_of(ByteView bytes) {
  return [bytes](std::span<std::byte> out) mutable {
    const std::size_t count = std::min(out.size(), bytes.size());
    std::copy_n(bytes.begin(), count, out.begin());
    bytes = bytes.subspan(count);
    return count;
  };
}

struct Passed {
  ByteVector file;
  MemberEnd end;
  std::int64_t items = 0, shaped = 0, loose = 0;  // items, their samples, and bytes of no item
};

// The file cut into pieces and put together again.
Passed pass(const Member& member, const CodingUnits& units, ByteView file) {
  Passed passed;
  MemberSplitter splitter(member, units, supply_of(file));
  MemberJoiner joiner(member, units, [&](ByteView part) {
    passed.file.insert(passed.file.end(), part.begin(), part.end());
  });
  for (Piece piece; splitter.next(piece);) {
    CHECK(piece.bytes.size() == piece.step.shaped + piece.step.loose);
    passed.shaped += static_cast<std::int64_t>(piece.step.shaped);
    passed.loose += static_cast<std::int64_t>(piece.step.loose);
    joiner.add(piece.bytes);
  }
  passed.items = passed.shaped / splitter.plan().item.shape.size();
  passed.end = joiner.finish();
  return passed;
}

Member member_of(ByteView file) {
  Member member;
  if (const auto layout = find_layout(file)) {
    member.kind = layout->kind;
    member.meta.assign(file.begin(),
                       file.begin() + static_cast<std::ptrdiff_t>(layout->header_bytes));
  }
  return member;
}

CodingUnits images(std::int64_t h, std::int64_t w, std::int64_t c, std::int64_t levels = 256) {
  CodingUnits units;
  units.item = ItemShape{{h, w, c}, levels};
  units.block_items = 5;
  return units;
}

}  // namespace

TEST_CASE("content: every kind of file comes back whole with and without a model") {
  const ByteVector files[] = {
      {},
      noise(1),
      noise(3'000'000),
      joined({bytes_of("\0\0\x08\x03\0\0\0\x0c\0\0\0\x08\0\0\0\x08"sv), noise(768)}),
      joined({bytes_of("\0\0\x08\x03\0\0\0\x0c\0\0\0\x08\0\0\0\x08"sv), noise(768 + 77)}),
      joined({bytes_of("\0\0\x08\x03\0\0\0\x0c\0\0\0\x08\0\0\0\x08"sv), noise(700)}),
      joined({bytes_of("\0\0\x08\x03\0\0\0\x0c\0\0\0\x1e\0\0\0\x13"sv), noise(12 * 570)}),
      joined({bytes_of("P5 3000 2000 255\n"), noise(6'000'000)}),
      joined({bytes_of("P5 3000 2000 255\n"), noise(5'000'000)}),
      joined({bytes_of("P6 17 9 255\n"), noise(17 * 9 * 3)}),
      joined({bytes_of("P4 17 30\n"), noise(90)}),
      joined({bytes_of("P4 17 30\n"), noise(89)}),
      joined({bytes_of("P4 17 30\n"), noise(91)}),
      ByteVector(bytes_of("P5 8 8 255\n").begin(), bytes_of("P5 8 8 255\n").end())};
  const CodingUnits models[] = {{},
                                images(8, 8, 1),
                                images(8, 8, 3),
                                images(8, 8, 1, 2),
                                images(1, 64, 1),
                                {.item = ItemShape{{1, 7, 1}, 256}, .sequence = true}};
  for (const ByteVector& file : files)
    for (const CodingUnits& units : models) {
      const Passed passed = pass(member_of(file), units, file);
      CHECK(passed.file == file);
      CHECK(passed.end.size == file.size());
      CHECK(passed.end.sha256 == sha256_hex(file));
    }
}

TEST_CASE("content: a model sees all items that fit and nothing else") {
  const ByteVector idx =
      joined({bytes_of("\0\0\x08\x03\0\0\0\x0c\0\0\0\x08\0\0\0\x08"sv), noise(768 + 5)});
  CHECK(pass(member_of(idx), images(8, 8, 1), idx).items == 12);
  CHECK(pass(member_of(idx), images(8, 8, 1), idx).loose == 5);
  CHECK(pass(member_of(idx), images(1, 64, 1), idx).items == 12);
  CHECK(pass(member_of(idx), images(3, 3, 1), idx).items == 12 * 4);
  CHECK(pass(member_of(idx), images(3, 3, 1), idx).loose == 12 * (64 - 36) + 5);
  const ByteVector bits = joined({bytes_of("P4 17 30\n"), noise(90)});
  CHECK(pass(member_of(bits), images(8, 8, 1, 2), bits).items == 3 * 3);
  CHECK_FALSE(plan_member(member_of(bits), images(8, 8, 1, 256)).for_model);
  CHECK_FALSE(plan_member(member_of(idx), images(8, 8, 3)).for_model);
}

TEST_CASE("content: text with a few strange symbols keeps them in its meta") {
  std::string text(1000, 'a');
  text[500] = 'B';
  CodingUnits units{.item = ItemShape{{1, 30, 1}, 27},
                    .sequence = true,
                    .alphabet = " abcdefghijklmnopqrstuvwxyz"};
  Exceptions found;
  found.scan(bytes_of(text), units.alphabet);
  REQUIRE(found.few());
  Member member;
  member.kind = MemberKind::text;
  member.meta = found.serialise();
  MemberSplitter splitter(member, units, supply_of(bytes_of(text)));
  for (Piece piece; splitter.next(piece);)
    CHECK(std::ranges::find(piece.bytes, std::byte{'B'}) == piece.bytes.end());
  const Passed passed = pass(member, units, bytes_of(text));
  CHECK(std::ranges::equal(passed.file, bytes_of(text)));
  CHECK(passed.items == 33);  // and what is left, which the next text may make an item of
  CHECK(passed.shaped == 1000);
}

namespace {

PngPixels picture(std::uint8_t colour, std::uint8_t depth) {
  PngPixels png;
  png.width = 13;
  png.height = 5;
  png.colour = colour;
  png.depth = depth;
  png.samples = noise(png.row_bytes() * png.height);
  if (colour == 3) png.chunks.push_back({"PLTE", true, noise(768)});
  png.chunks.push_back({"gAMA", true, noise(4)});
  png.chunks.push_back(
      {"tEXt", false, ByteVector(bytes_of("a text").begin(), bytes_of("a text").end())});
  return png;
}

}  // namespace

TEST_CASE("png: files of every depth and colour are read as they were written") {
  const std::pair<int, int> forms[] = {{0, 1}, {0, 2},  {0, 4},  {0, 8}, {0, 16},
                                       {2, 8}, {2, 16}, {3, 1},  {3, 2}, {3, 4},
                                       {3, 8}, {4, 8},  {4, 16}, {6, 8}, {6, 16}};
  for (const auto& [colour, depth] : forms) {
    CAPTURE(colour);
    CAPTURE(depth);
    const PngPixels png =
        picture(static_cast<std::uint8_t>(colour), static_cast<std::uint8_t>(depth));
    const ByteVector file = write_png(png);
    const auto again = read_png(file);
    REQUIRE(again);
    CHECK(again->samples == png.samples);
    CHECK(png_meta(*again) == png_meta(png));
    CHECK(png_meta(parse_png_meta(png_meta(png))) == png_meta(png));
    Member member;
    member.kind = MemberKind::pixels;
    member.meta = png_meta(png);
    const Passed passed = pass(member, images(4, 4, 3), png.samples);
    CHECK(passed.file == file);
    CHECK(passed.end.sha256 == sha256_hex(joined({raster_head(png), png.samples})));
  }
}

TEST_CASE("png: our own pictures come back to the byte") {
  for (const int channels : {1, 3}) {
    draw::Picture drawn(31, 17, channels);
    draw::fill_box(drawn, {3, 4, 9, 9}, {200, 30, 90});
    const ByteVector file = draw::png_bytes(drawn);
    const auto png = read_png(file);
    REQUIRE(png);
    CHECK(own_png(*png) == file);
    Member member;
    member.kind = MemberKind::own_png;
    member.meta = png_meta(*png);
    CHECK(pass(member, images(5, 5, channels), png->samples).file == file);
    CHECK(write_png(*png) != file);
  }
}

TEST_CASE("png: damage is no picture and never more") {
  const ByteVector file = write_png(picture(2, 8));
  for (std::size_t size = 0; size < file.size(); ++size)
    CHECK_FALSE(read_png(ByteView(file).first(size)));
  for (std::size_t bit = 0; bit < file.size() * 8; ++bit) {
    ByteVector bytes = file;
    bytes[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
    CHECK_FALSE(read_png(bytes));
  }
}

TEST_CASE("content: metas that do not fit their kind are refused") {
  const auto refused = [](MemberKind kind, ByteView meta) {
    Member member;
    member.kind = kind;
    member.meta.assign(meta.begin(), meta.end());
    CHECK_THROWS_AS(MemberJoiner(member, {}, [](ByteView) {}), Error);
  };
  refused(MemberKind::idx, bytes_of("P5 8 8 255\n"));
  refused(MemberKind::pnm, bytes_of("P5 8 8 255\nx"));
  refused(MemberKind::npy, {});
  refused(MemberKind::bytes, bytes_of("x"));
  refused(MemberKind::pixels, bytes_of("xxxxxxxxxxxxxxx"));
  refused(MemberKind::text, bytes_of("\xff"));
}

TEST_CASE("pnm: pixels of grey and RGB are written and others refused") {
  PngPixels png = picture(0, 8);
  const auto layout = find_layout(write_pnm(png));
  REQUIRE(layout);
  CHECK(layout->shape == RasterShape{5, 13, 1});
  CHECK_THROWS_AS((void)write_pnm(picture(6, 8)), Error);
}

}  // namespace logpx::content_test
