// What files are unfolded to, and that it makes the very files again.
#include "formats/archive/unfolder.hpp"

#include "formats/archive/png_file.hpp"
#include "formats/archive/png_rows.hpp"
#include "formats/archive/refolder.hpp"
#include "libcore/base/error.hpp"

#include <doctest/doctest.h>
#include <zlib.h>

#include <algorithm>
#include <numeric>

namespace logpx::unfolder_test {

using namespace logpx::archive;

namespace {

using What = RecipeStep::What;

ByteVector operator+(ByteVector a, ByteView b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}
ByteVector text(std::string_view text) { return {bytes_of(text).begin(), bytes_of(text).end()}; }

std::uint32_t random_bits(std::uint32_t seed, std::uint64_t i) {
  std::uint64_t x = (i + 1) * 0x9e3779b97f4a7c15 + seed;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return static_cast<std::uint32_t>(x >> 32);
}

ByteVector noise(std::size_t size, std::uint32_t seed) {
  ByteVector bytes(size);
  for (std::uint32_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(random_bits(seed, i));
  return bytes;
}

// Words of a small language, which DEFLATE shortens to about a third.
ByteVector prose(std::size_t size, std::uint32_t seed = 1) {
  static constexpr const char* words[] = {"the ",  "stream ", "is ",    "undone ", "and ", "made ",
                                          "again", ", ",      "bit ",   "for ",    "of ",  "zlib",
                                          "\n",    "what ",   "holds ", "deep "};
  std::string made;
  for (std::uint32_t i = 0; made.size() < size; ++i) made += words[random_bits(seed, i) % 16];
  made.resize(size);
  return text(made);
}

// `bits`: 15 zlib, -15 raw, 31 gzip.
ByteVector deflated(ByteView content, int level, int bits) {
  z_stream stream{};
  REQUIRE(deflateInit2(&stream, level, Z_DEFLATED, bits, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  ByteVector out(deflateBound(&stream, content.size()) + 64);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  REQUIRE(::deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}
ByteVector zlib(ByteView content) { return deflated(content, 6, 15); }
ByteVector gzip(ByteView content) { return deflated(content, 9, 31); }

// With `flags` 8 sums and sizes stand behind the stream.
ByteVector zip_entry(ByteView content, std::string_view name = "x", unsigned flags = 0) {
  const ByteVector stream = deflated(content, 6, -15);
  WireWriter known, head;
  known.u32(crc32_of(content)).u32(static_cast<std::uint32_t>(stream.size()));
  known.u32(static_cast<std::uint32_t>(content.size()));
  head.text("PK\3\4").u16(20).u16(static_cast<std::uint16_t>(flags)).u16(8).u32(0x5a5a0000);
  head.raw(flags == 0 ? known.bytes() : ByteVector(12));
  head.u16(static_cast<std::uint16_t>(name.size())).u16(0).text(name);
  const ByteVector entry = ByteVector(head.bytes()) + stream;
  return flags == 0 ? entry : entry + text("PK\7\10") + known.bytes();
}

// Rows of noise around a slope, each with the filter that `filter_of` says.
template <typename FilterOf>
ByteVector png(std::uint32_t wide, std::uint32_t high, std::uint8_t colour,
               const FilterOf& filter_of) {
  PngPixels pixels;
  pixels.width = wide;
  pixels.height = high;
  pixels.colour = colour;
  const std::size_t row = pixels.row_bytes();
  ByteVector filtered, samples(row * high);
  for (std::size_t i = 0; i < samples.size(); ++i)
    samples[i] = static_cast<std::byte>(i % row / 3 + i / row + random_bits(5, i) % 4);
  for (std::size_t y = 0; y < high; ++y) {
    const ByteView all = samples, now = all.subspan(y * row, row);
    const ByteView above = y == 0 ? ByteView() : all.subspan((y - 1) * row, row);
    const std::size_t pixel = pixels.channels();
    const int filter = filter_of(pixel, now, above, y);
    filtered.push_back(static_cast<std::byte>(filter));
    filtered.resize(filtered.size() + row);
    filter_row(filter, pixel, now, above, std::span(filtered).last(row));
  }
  const auto big = [](std::uint32_t v) {
    ByteVector b = WireWriter().u32(v).bytes();
    std::ranges::reverse(b);
    return b;
  };
  const ByteVector head =
      big(wide) + big(high) + WireWriter().u8(8).u8(colour).u8(0).u8(0).u8(0).bytes();
  ByteVector file = text("\x89PNG\r\n\x1a\n") + png_chunk("IHDR", head);
  const ByteVector stream = deflated(filtered, 9, 15);
  for (ByteView left = stream; !left.empty();) {
    const ByteView part = left.first(std::min<std::size_t>(left.size(), 500));
    file = std::move(file) + png_chunk("IDAT", part);
    left = left.subspan(part.size());
  }
  return std::move(file) + png_chunk("IEND", {});
}

std::vector<Unfolded> unfold(ByteView file, std::size_t bite = 1 << 16) {
  std::vector<Unfolded> all;
  UnfoldBudget budget;
  Unfolder unfolder(0, budget, [&](Unfolded part) { all.push_back(std::move(part)); });
  for (; !file.empty(); file = file.subspan(std::min(bite, file.size())))
    unfolder.add(file.first(std::min(bite, file.size())));
  CHECK(unfolder.finish());
  return all;
}

ByteVector fold(const std::vector<Unfolded>& parts) {
  std::array<DecisionRepeater, channels> repeaters;
  ChannelDecisions decisions{};
  for (std::size_t i = 0; i < channels; ++i) decisions[i] = &repeaters[i];
  ByteVector file;
  Refolder refolder(decisions, [&](ByteView bytes) { file = std::move(file) + bytes; });
  for (const Unfolded& part : parts) {
    repeaters[part.channel].add(part.decisions);
    if (part.step) refolder.follow(*part.step, part.content);
  }
  return file;
}

std::size_t count(const std::vector<Unfolded>& parts, What what) {
  return static_cast<std::size_t>(std::ranges::count_if(
      parts, [&](const Unfolded& part) { return part.step && part.step->what == what; }));
}
std::size_t count(const std::vector<Unfolded>& parts, Layer layer) {
  return static_cast<std::size_t>(std::ranges::count_if(parts, [&](const Unfolded& part) {
    return part.step && part.step->what == What::open && part.step->layer == layer;
  }));
}
std::size_t content(const std::vector<Unfolded>& parts) {
  return std::accumulate(
      parts.begin(), parts.end(), std::size_t{0},
      [](std::size_t sum, const Unfolded& part) { return sum + part.content.size(); });
}

int least(std::size_t pixel, ByteView row, ByteView above, std::size_t) {
  return least_filter(pixel, row, above);
}

}  // namespace

TEST_CASE("unfolder: streams of gzip, zip and zlib become their content, wherever they stand") {
  const ByteVector words = prose(20'000);
  const ByteVector file =
      noise(300, 1) + zlib(words) + text("between") + gzip(words) + zip_entry(words) + noise(70, 2);
  for (const std::size_t bite : {std::size_t{1} << 16, std::size_t{61}}) {
    const auto parts = unfold(file, bite);
    CHECK(count(parts, Layer::zlib) == 1);
    CHECK(count(parts, Layer::gzip) == 2);  // its own, and that in the entry
    CHECK(count(parts, Layer::entry) == 1);
    CHECK(content(parts) > 60'000);
    CHECK(fold(parts) == file);
  }
}

TEST_CASE("unfolder: streams of 24 bytes and more are undone, and shorter ones stay as they are") {
  const ByteVector some = zlib(text("words that are few, and others beside")),
                   least = zlib(text("few"));
  REQUIRE(some.size() > 30);
  REQUIRE(least.size() < 24);
  CHECK(count(unfold(some), Layer::zlib) == 1);
  CHECK(count(unfold(least), Layer::zlib) == 0);
  CHECK(fold(unfold(some + least)) == some + least);
}

TEST_CASE(
    "unfolder: without its check sum a short stream is taken for chance, and stays as it is") {
  for (const std::size_t words : {300, 3'000}) {
    ByteVector stream = zlib(prose(words));
    stream.back() ^= std::byte{1};
    const auto parts = unfold(stream);
    CHECK(count(parts, Layer::deflate) == (stream.size() < 500 ? 0 : 1));
    CHECK(fold(parts) == stream);
  }
  const ByteVector entry = zip_entry(prose(300));  // its header says that a stream is there
  CHECK(count(unfold(entry), What::open) > 0);
}

TEST_CASE("unfolder: the directory of a zip file says nothing that its entries have not said") {
  for (const unsigned flags : {0u, 8u}) {
    const ByteVector first = zip_entry(prose(3'000), "a", flags),
                     second = zip_entry(prose(4'000, 2), "bc", flags);
    ByteVector directory;
    for (const auto& [entry, place] :
         {std::pair(first, std::size_t{0}), std::pair(second, first.size())}) {
      const ByteView from = flags == 0 ? ByteView(entry).subspan(14, 12) : ByteView(entry).last(12);
      WireWriter head;
      head.text("PK\1\2").u16(20).raw(ByteView(entry).subspan(4, 10)).raw(from);
      head.raw(ByteView(entry).subspan(26, 4)).u16(0).u16(0).u16(0).u32(0);
      head.u32(static_cast<std::uint32_t>(place)).text(place == 0 ? "a" : "bc");
      directory = std::move(directory) + head.bytes();
    }
    const ByteVector file = first + second + directory + text("PK\5\6 and the end");
    for (const std::size_t bite : {std::size_t{1} << 16, std::size_t{50}}) {
      const auto parts = unfold(file, bite);
      CHECK(count(parts, Layer::entry) == 2);
      REQUIRE(count(parts, Layer::directory) == 1);
      const auto at = std::ranges::find_if(parts, [](const Unfolded& part) {
        return part.step && part.step->layer == Layer::directory;
      });
      for (const Unfolded& header : {at[1], at[2]}) {
        CHECK(std::ranges::count(ByteView(header.content).subspan(16, 12), std::byte{0}) == 12);
        CHECK(std::ranges::count(ByteView(header.content).subspan(42, 4), std::byte{0}) == 4);
      }
      CHECK(fold(parts) == file);
    }
  }
}

TEST_CASE("unfolder: streams in streams are undone four deep, and no deeper") {
  ByteVector file = prose(3'000);
  for (int depth = 0; depth < 6; ++depth) file = noise(200, 7) + gzip(file);
  const auto parts = unfold(file);
  CHECK(count(parts, Layer::gzip) == most_streams);
  CHECK(fold(parts) == file);
}

TEST_CASE("unfolder: pictures become pixels, whose filters are foretold or said") {
  const auto one = [](std::size_t, ByteView, ByteView, std::size_t) { return 4; };
  const auto any = [](std::size_t, ByteView, ByteView, std::size_t y) {
    return static_cast<int>(y * 7 % 5);
  };
  for (const int colour : {0, 2, 6}) {
    CAPTURE(colour);
    for (const ByteVector& file : {png(60, 40, static_cast<std::uint8_t>(colour), one),
                                   png(60, 40, static_cast<std::uint8_t>(colour), least),
                                   png(60, 40, static_cast<std::uint8_t>(colour), any)}) {
      const auto parts = unfold(file);
      CHECK(count(parts, Layer::chunks) == 1);
      CHECK(count(parts, Layer::rows) == 1);
      CHECK(count(parts, What::rasters) == 1);
      CHECK(fold(parts) == file);
    }
  }
  const auto parts = unfold(png(60, 40, 2, least));
  const auto rows = std::ranges::find_if(
      parts, [](const Unfolded& part) { return part.step && part.step->layer == Layer::rows; });
  CHECK(rows->step->least_sums);
}

TEST_CASE("unfolder: a file that is cut anywhere comes back") {
  const ByteVector file =
      gzip(prose(9'000)) + png(40, 30, 2, least) + zip_entry(zlib(noise(500, 3)) + prose(2'000));
  for (std::size_t size = 0; size < file.size(); size += file.size() / 200 + 1) {
    const ByteView cut = ByteView(file).first(size);
    CHECK(std::ranges::equal(fold(unfold(cut)), cut));
  }
}

TEST_CASE("unfolder: a file in which a bit has changed comes back") {
  const ByteVector file = gzip(prose(3'000)) + png(30, 20, 0, least);
  for (std::size_t at = 0; at < file.size(); at += 7) {
    ByteVector other = file;
    other[at] ^= std::byte{1} << at % 8;
    CHECK(fold(unfold(other)) == other);
  }
}

TEST_CASE("unfolder: what unfolds to over 64 times its length stays as it is") {
  const ByteVector bomb = gzip(ByteVector(20'000'000));
  const auto parts = unfold(bomb);
  CHECK(count(parts, What::open) == 0);
  CHECK(fold(parts) == bomb);
  // Each of these unfolds 30 times.
  ByteVector nested = ByteVector(60'000) + noise(1'800, 4);
  for (int i = 0; i < 3; ++i) {
    ByteVector many;
    for (int j = 0; j < 30; ++j) many = std::move(many) + gzip(nested);
    nested = gzip(many);
  }
  const auto some = unfold(nested);
  CHECK(content(some) <= 64 * nested.size() + (1 << 20));
  CHECK(fold(some) == nested);
}

TEST_CASE("unfolder: a stream is held to 64 times its length with all that lies in it") {
  ByteVector nested = noise(20'000, 4);
  for (int i = 0; i < 3; ++i) {
    ByteVector many;
    for (int j = 0; j < 12; ++j) many = std::move(many) + gzip(nested);
    nested = gzip(many);
  }
  const ByteVector file = noise(100'000, 5) + nested;  // it could be far more by its own length
  const auto parts = unfold(file);
  CHECK(content(parts) < file.size() + 64 * nested.size() + (1 << 20));
  CHECK(count(parts, What::open) == 0);
  CHECK(fold(parts) == file);
}

TEST_CASE("unfolder: streams may be longer than 64 times their length by 1 MiB in all") {
  const ByteVector blank = gzip(ByteVector(400'000));
  ByteVector many;
  for (int i = 0; i < 10; ++i) many = std::move(many) + blank;
  const auto parts = unfold(many);
  CHECK(count(parts, What::open) == 2);
  CHECK(fold(parts) == many);
}

TEST_CASE("unfolder: a long stream is given out before its end, and left where it breaks off") {
  const ByteVector words = prose(20'000'000);
  ByteVector file = deflated(words, 1, 31);
  std::vector<Unfolded> parts;
  UnfoldBudget budget;
  Unfolder unfolder(0, budget, [&](Unfolded part) { parts.push_back(std::move(part)); });
  file.resize(file.size() - 20'000);
  unfolder.add(file);
  CHECK(content(parts) > 17'000'000);
  CHECK(unfolder.finish());
  CHECK(count(parts, What::stop) == 1);
  CHECK(fold(parts) == file);
}

TEST_CASE("refolder: what no encoder made gives some file, or is an error of data") {
  const ByteVector file = gzip(prose(3'000)) + png(30, 20, 0, least) + gzip(zlib(prose(900)));
  const std::vector<Unfolded> good = unfold(file);
  std::size_t refused = 0;
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    std::vector<Unfolded> parts = good;
    Unfolded& part = parts[random_bits(seed, 0) % parts.size()];
    const std::uint32_t how = random_bits(seed, 1), where = random_bits(seed, 2);
    if (part.step && how % 2 == 0) {
      part.step->what = static_cast<What>(how / 2 % 5);
      part.step->layer = static_cast<Layer>(how / 16 % 7);
      part.step->size = 1 + where % 100;
    } else if (!part.content.empty()) {
      part.content[where % part.content.size()] ^= static_cast<std::byte>(1 + how % 255);
    } else if (!part.decisions.empty()) {
      part.decisions[where % part.decisions.size()] ^= 1;
    }
    try {
      (void)fold(parts);
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::data);
      ++refused;
    }
  }
  CHECK(refused > 50);
}

TEST_CASE("recipe: every step comes back, and what there cannot be is refused") {
  const Recipe recipe{
      .steps =
          {{.what = What::bytes, .bytes = 7},
           {.what = What::open, .layer = Layer::chunks, .size = 8192},
           {.what = What::open,
            .layer = Layer::zlib,
            .how = number_of({.level = 9, .memory = 9, .fixed_trees = true})},
           {.what = What::open, .layer = Layer::rows, .size = 30, .pixel = 3, .least_sums = true},
           {.what = What::rasters, .bytes = 600, .shape = {20, 10, 3}},
           {.what = What::close},
           {.what = What::stop},
           {.what = What::close}},
      .file_bytes = 500};
  WireWriter out;
  write_recipe(out, recipe);
  WireReader in(out.bytes(), "recipe");
  std::uint64_t left = 8;
  CHECK(read_recipe(in, left) == recipe);
  CHECK(left == 0);
  WireReader again(out.bytes(), "recipe");
  CHECK_THROWS_AS((void)read_recipe(again, left), Error);  // more steps than a run holds
  const deflate::Parameters odd{
      .strategy = deflate::Strategy::runs, .level = 3, .far_threes = true};
  CHECK(parameters_of(number_of(odd)) == odd);
  OpenLayers layers;
  for (const RecipeStep& step : recipe.steps) layers.follow(step);
  CHECK(layers.height() == 0);
  CHECK_THROWS_AS(layers.follow({.what = What::close}), Error);
  layers.follow({.what = What::open, .layer = Layer::chunks, .size = 1});
  CHECK_THROWS_AS(layers.follow({.what = What::stop}), Error);
  for (std::size_t i = 0; i < most_streams; ++i) layers.follow({.what = What::open});
  CHECK_THROWS_AS(layers.follow({.what = What::open}), Error);
  layers.follow({.what = What::open, .layer = Layer::rows, .size = 1});
  CHECK_THROWS_AS(layers.follow({.what = What::open, .layer = Layer::chunks, .size = 1}), Error);
}

}  // namespace logpx::unfolder_test
