#include "libcore/codec/adaptive/adaptive.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/hash.hpp"
#include "libcore/base/rng.hpp"
#include "libcore/codec/adaptive/block_model.hpp"
#include "libcore/codec/adaptive/first_text.hpp"
#include "libcore/codec/adaptive/gain.hpp"
#include "libcore/codec/adaptive/likely_form.hpp"
#include "libcore/codec/adaptive/taught.hpp"
#include "tests/support/sanitizers.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace logpx::adaptive_test {

using namespace logpx::codec::adaptive;

namespace {

using Values = std::vector<std::uint8_t>;

Values random_bytes(std::size_t count, std::uint32_t below) {
  Cursor random(Rng(7).stream(Stream::test, 510));
  Values bytes(count);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random.below(below));
  return bytes;
}

// Sentences of few words in an order of their own.
Values prose(std::size_t count) {
  static constexpr const char* words[] = {"the ", "house ", "was ",  "old ",    "and ",  "a ",
                                          "cat ", "sat ",   "near ", "window.", "rain ", "fell "};
  Cursor random(Rng(3).stream(Stream::test, 511));
  std::string text;
  while (text.size() < count) text += words[random.below(12)];
  return {text.begin(), text.begin() + static_cast<std::ptrdiff_t>(count)};
}

// Rasters of ramps, one after another; a pixel has the same noise in all its colours.
Values ramps(std::size_t count, std::size_t width, std::size_t channels) {
  const Values noise = random_bytes(count, 6);
  Values data(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t pixel = i / channels, x = pixel % width, y = pixel / width % width;
    data[i] = static_cast<std::uint8_t>(7 * x + y / 4 + 60 * (i % channels) + noise[pixel]);
  }
  return data;
}

// Tables of rows: a running number, a constant and a bit of noise.
Values records(std::size_t count, std::size_t row) {
  const Values noise = random_bytes(count, 4);
  Values data(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t column = i % row;
    data[i] = static_cast<std::uint8_t>(column == 0   ? i / row
                                        : column == 1 ? i / row >> 8
                                        : column < 5  ? noise[i]
                                                      : 7 * column);
  }
  return data;
}

alignas(64) constexpr auto unknown_chances = [] {
  std::array<std::uint32_t, 16> all{};
  all.fill(unknown_chance);
  return all;
}();

constexpr Form every_form[] = {
    {Kind::text},          {Kind::records},       {Kind::records, 13},
    {Kind::grey, 28},      {Kind::rgb, 96},       {Kind::grey, 28, 784},
    {Kind::bits, 12},      {Kind::grey, 2},       {Kind::planar, 16, 256},
    {Kind::planar, 2, 3},  {Kind::rgb, 6},        {Kind::bits, 1},
    {Kind::molecules},     {Kind::x86_code},      {Kind::dna},
    {Kind::arm_code},      {Kind::rgba, 64},      {Kind::rgba, 24},
    {Kind::drawn_rgb, 60}, {Kind::drawn_rgb, 18}, {Kind::grey_of_2_5, 28, 784}};

std::size_t there_and_back(const Values& data, const Form& form, Level level) {
  const std::vector<std::byte> coded = encode(data, form, level);
  CHECK(decode(coded, data.size(), form, level) == data);
  return coded.size();
}

}  // namespace

TEST_CASE("adaptive: every form gives any data back, at any length and level") {
  for (const std::size_t size : {0u, 1u, 2u, 300u, 5000u})
    for (const Form& form : every_form)
      for (const Level level : {Level::normal, Level::best}) {
        if (!fits(form, size)) continue;
        CAPTURE(size);
        there_and_back(random_bytes(size, 256), form, level);
        there_and_back(prose(size), form, level);
        there_and_back(Values(size, 255), form, level);
      }
}

TEST_CASE("adaptive: what is read before a block is part of what its decoder must know") {
  const Values text = prose(3000), other = random_bytes(3000, 256);
  for (const Form& form : every_form) {
    const Start start(Level::normal, first_text());
    const std::vector<std::byte> coded = encode(text, form, start);
    CHECK(decode(coded, text.size(), form, start) == text);
    CHECK(decode(coded, text.size(), form, {Level::normal, other}) != text);
    CHECK(encode({}, fits(form, 0) ? form : Form{}, start).empty());
  }
  const Start after_itself(Level::best, text);
  CHECK(encode(text, {}, after_itself).size() < 40);
  const Values image = ramps(28 * 28 * 8, 28, 1);
  const std::span<const std::uint8_t> all(image), first = all.first(28 * 28 * 7 + 5);
  const Form grey{Kind::grey, 28, 784};
  const Values last(image.end() - 784, image.end());
  CHECK(encode(last, grey, {Level::normal, first}).size() <
        encode(last, grey, Level::normal).size());
}

TEST_CASE("adaptive: the first text has at most 32 kB, never changes, and shortens short texts") {
  const std::span<const std::uint8_t> text = first_text();
  CHECK(text.size() <= 32 * 1024);
  CHECK(sha256_hex(std::as_bytes(text)).starts_with("e39f982b7746104a"));
  const std::string letter =
      "Thank you for the books which you sent us last week. We have read some of them already, and "
      "my brother thinks that they are the best that he has ever seen.\n";
  const Values data(letter.begin(), letter.end());
  CHECK(3 * encode(data, {}, {Level::normal, text}).size() <
        2 * encode(data, {}, Level::normal).size());
}

TEST_CASE("adaptive: chances become logits, and learn in the mean until they are sure") {
  alignas(64) std::uint32_t chances[16];
  alignas(64) std::int16_t x[32];
  for (std::uint32_t i = 0; i < 16; ++i)
    chances[i] = chance_of_count((1u << 22) / 17 * (i + 1), i < 15 ? 0 : fixed_count);
  PlainLanes::inputs(chances, 16, x);
  for (int i = 0; i < 16; ++i) {
    const double p = (i + 1) / 17.0;
    CHECK(x[i] == doctest::Approx(256 * std::log(p / (1 - p))).epsilon(0.012).scale(256));
    if (i < 15) CHECK(x[16 + i] == doctest::Approx(1024 * (p - 0.5)).epsilon(0.002).scale(1024));
  }
  std::uint32_t ones = 0;
  const Values bits = random_bytes(2000, 4);
  for (const std::uint8_t value : bits) {
    PlainLanes::learn(chances, 16, value == 0);
    ones += value == 0;
  }
  CHECK((chances[3] & 1023) == last_count);
  CHECK((chances[3] >> 10) / 4194304.0 == doctest::Approx(ones / 2000.0).epsilon(0.05));
  CHECK(chances[15] == chance_of_count((1u << 22) / 17 * 16, fixed_count));
  PlainLanes::inputs(&unknown_chances[0], 16, x);
  CHECK(x[0] == 0);
  CHECK(x[16] == 0);
  CHECK(x[31] == one_nat);  // the same for all bits
}

#if defined(__x86_64__)
TEST_CASE("adaptive: vectors of 32 bytes do to the bit what smaller ones do") {
  if (!isa_available(Isa::v3)) return;
  Cursor random(Rng(7).stream(Stream::test, 512));
  alignas(64) std::uint32_t chances[32], same[32];
  alignas(64) std::int16_t x[64], y[64], w[64], v[64];
  const auto any = [&random](int most) {
    return static_cast<std::int16_t>(static_cast<int>(random.below(2 * most + 1)) - most);
  };
  for (int round = 0; round < 300; ++round) {
    for (int i = 0; i < 32; ++i) same[i] = chances[i] = random.below(0xffffffff);
    chances[0] = same[0] = unknown_chance;
    chances[1] = same[1] = round % 2 == 0 ? 0 : 0xfffffffe;
    const auto reversed = [&](int i) { return chances[31 - i]; };
    alignas(64) std::uint32_t filled[32], vectors[32];
    PlainLanes::fill<32>(filled, reversed);
    Avx2Lanes::fill<32>(vectors, reversed);
    REQUIRE(std::equal(filled, filled + 32, vectors));
    PlainLanes::inputs(chances, 32, x);
    Avx2Lanes::inputs(same, 32, y);
    REQUIRE(std::equal(x, x + 64, y));
    PlainLanes::learn(chances, 32, round & 1);
    Avx2Lanes::learn(same, 32, round & 1);
    REQUIRE(std::equal(chances, chances + 32, same));
    for (int i = 0; i < 64; ++i) w[i] = v[i] = any(round < 150 ? 32767 : 20000);
    CHECK(PlainLanes::weighted_sum(x, w, 64) == Avx2Lanes::weighted_sum(x, w, 64));
    const int scale = any(32767);
    PlainLanes::add_scaled(x, w, 64, scale);
    Avx2Lanes::add_scaled(x, v, 64, scale);
    REQUIRE(std::equal(w, w + 64, v));
  }
}
#endif

TEST_CASE("adaptive: random bytes grow by little, repeated bytes nearly vanish") {
  CHECK(there_and_back(random_bytes(20'000, 256), {}, Level::normal) < 20'500);
  CHECK(there_and_back(Values(20'000, 'a'), {}, Level::normal) < 60);
}

TEST_CASE("adaptive: a repeat of any distance costs next to nothing") {
  Values twice = random_bytes(10'000, 256);
  const std::size_t once = encode(twice, {}, Level::normal).size();
  twice.insert(twice.end(), twice.begin(), twice.end());
  CHECK(there_and_back(twice, {}, Level::normal) < once + 200);
}

TEST_CASE("adaptive: words in no order cost little more than the choice of the word") {
  // log2(12) bits for 4.5 characters are 0.8 bits each.
  const Values data = prose(30'000);
  CHECK(there_and_back(data, {}, Level::normal) * 8 < 0.85 * static_cast<double>(data.size()));
}

TEST_CASE("adaptive: the right kind and row are worth more than anything else") {
  const Values image = ramps(28 * 28 * 20, 28, 1), colours = ramps(32 * 32 * 3 * 6, 32, 3),
               table = records(13 * 1000, 13);
  const auto by = [](const Values& data, const Form& form) {
    return encode(data, form, Level::normal).size();
  };
  CHECK(by(image, {Kind::grey, 28}) < by(image, {}));
  CHECK(by(colours, {Kind::rgb, 96}) < by(colours, {}));
  CHECK(by(table, {Kind::records, 13}) < by(table, {}));
  CHECK(likely_form(prose(4000), {}) == Form{});
  CHECK(likely_form(table, {}).row > 0);
  CHECK(likely_form(table, {}).row % 13 == 0);
  CHECK(likely_form(colours, {}).row % 96 == 0);
  const Form known[] = {{Kind::grey, 28, 784}, {Kind::records, 28}};
  CHECK(likely_form(image, known).row == 28);
  CHECK(likely_form(table, std::span(known).first(1)) == known[0]);  // one is not put in doubt
  CHECK(likely_form(Values(100, 1), known) == Form{});
  // Records of usual lengths are tried, too, where a header leaves doubts.
  CHECK(likely_form(records(8 * 2000, 8), known) == Form{Kind::records, 8});
}

TEST_CASE("adaptive: a sample that takes nearly nothing drops no form for a few bytes") {
  // A third of the records holds numbers, all others are empty.
  constexpr std::size_t row = 48;
  Values data(600 * row);
  for (std::size_t i = 0; 3 * i < 600; ++i) {
    std::uint8_t* record = data.data() + 3 * i * row;
    record[3] = static_cast<std::uint8_t>(i);
    record[9] = static_cast<std::uint8_t>(100 + 3 * i * 7919 % 5);
    record[20] = static_cast<std::uint8_t>(9 * i * i % 251);
    record[40] = static_cast<std::uint8_t>(3 * i * 31 % 7);
  }
  const auto by = [&](const Form& form) { return encode(data, form, Level::normal).size(); };
  CHECK(by(likely_form(data, {})) <= by({Kind::grey, 3 * row}));
}

TEST_CASE(
    "adaptive: colours whose planes are longer than what is tried are weighed by whole planes") {
  const Values data = random_bytes(40'000, 64);
  const Form joined[] = {{Kind::planar, 24, 864}};
  CHECK_FALSE(likely_forms(data, {}, joined).empty());
}

TEST_CASE("adaptive: rows that are wider than what is tried are found") {
  const Values columns = random_bytes(3600, 256);
  Values picture(std::size_t{3600} * 40);
  for (std::size_t i = 0; i < picture.size(); ++i)
    picture[i] = static_cast<std::uint8_t>(columns[i % 3600] + 3 * (i / 3600));
  CHECK(likely_form(picture, {}).row == 3600);
  // Contexts would see no row above a part that is coded alone.
  const std::span<const std::uint8_t> all(picture), part = all.subspan(36000, 4000);
  const Form grey{Kind::grey, 3600};
  CHECK(2 * bytes_of_part(all.first(40000), 36000, grey) <
        encode(part, grey, Level::normal).size());
  CHECK(bytes_of_part(all, 0, grey) == encode(all, grey, Level::normal).size());
}

TEST_CASE(
    "adaptive: smooth colours of which pixels are more alike than rows are known as a picture") {
  // Every pixel continues the one to its left; rows resemble each other less.
  Cursor random(Rng(7).stream(Stream::test, 516));
  constexpr std::size_t row = 600;
  Values picture(row * 200);
  for (std::size_t i = 0; i < picture.size(); ++i) {
    const int left = i % row >= 3 ? picture[i - 3] : 128, up = i >= row ? picture[i - row] : 128;
    const int step = static_cast<int>(random.below(7)) - 3;
    picture[i] = static_cast<std::uint8_t>(std::clamp((6 * left + 2 * up + 4) / 8 + step, 0, 255));
  }
  REQUIRE(likely_rows(picture, 2).back() < 16);
  // Forecasts of grey see the pixel to the left of the same colour, too.
  const Kind kind = likely_form(picture, {}).kind;
  CHECK((kind == Kind::rgb || kind == Kind::grey));
}

TEST_CASE("adaptive: a form is found for data of any size") {
  for (std::size_t size = 0; size < 5000; size += size < 1000 ? 300 : 37 * testing::step_of_many)
    CHECK(fits(likely_form(random_bytes(size, 200), {}), size));
}

TEST_CASE("adaptive: a row shows as the distance at which bytes are alike") {
  CHECK(likely_rows(records(13 * 800, 13), 1) == std::vector<std::uint32_t>{13});
  Values mostly_nothing(20'000, 0);
  std::ranges::copy(records(13 * 400, 13), mostly_nothing.begin() + 13'000);
  CHECK(likely_rows(mostly_nothing, 1) == std::vector<std::uint32_t>{13});
  CHECK(likely_rows(Values(3, 0), 4).empty());
  CHECK(likely_rows(Values(5000, 0), 4).empty());
}

TEST_CASE("adaptive: a large block that nothing makes shorter is found out before it is coded") {
  const Values noise = random_bytes(300'000, 256);
  const auto with = [&](const Values& more) {
    Values data = noise;
    data.insert(data.end(), more.begin(), more.end());
    return data;
  };
  CHECK(gains_nothing(noise, {}));
  CHECK(gains_nothing(noise, {Kind::grey, 500}));
  CHECK_FALSE(gains_nothing(Values(noise.begin(), noise.end() - 100'000), {}));  // soon coded
  CHECK_FALSE(gains_nothing(with(prose(3000)), {}));
  CHECK_FALSE(gains_nothing(with(Values(noise.begin() + 77, noise.begin() + 5000)), {}));
  CHECK_FALSE(gains_nothing(random_bytes(300'000, 250), {}));
  // Every byte is as frequent as any other, and follows from the one before.
  Values steps(300'000);
  for (std::size_t i = 0; i < steps.size(); ++i) steps[i] = static_cast<std::uint8_t>(i + i / 256);
  CHECK_FALSE(gains_nothing(steps, {}));
}

TEST_CASE("adaptive: forms that no encoder writes are refused before memory is taken") {
  const std::vector<std::byte> nothing;
  const Form bad[] = {{Kind::text, 1},          {Kind::records, 1},
                      {Kind::records, 101},     {Kind::grey, 0},
                      {Kind::grey, 10, 101},    {Kind::rgb, 5},
                      {Kind::rgb, 6, 2},        {Kind::planar, 10, 10},
                      {Kind::planar, 10, 0},    {Kind::planar, 10, 1000},
                      {Kind::bits, 0},          {Kind::bits, 0xffffffff},
                      {static_cast<Kind>(0)},   {static_cast<Kind>(200), 2},
                      {Kind::grey, 0x80000000}, {Kind::molecules, 1},
                      {Kind::x86_code, 4},      {Kind::arm_code, 4, 8},
                      {Kind::dna, 4},           {static_cast<Kind>(11)},
                      {Kind::rgba, 20},         {Kind::rgba, 26},
                      {Kind::rgba, 32, 64},     {Kind::drawn_rgb, 15},
                      {Kind::drawn_rgb, 20}};
  for (const Form& form : bad) {
    CHECK_FALSE(fits(form, 100));
    CHECK_THROWS_AS(static_cast<void>(decode(nothing, 100, form, Level::normal)), Error);
  }
}

TEST_CASE("adaptive: a pixel among equal ones costs next to nothing, and others come back") {
  // Grounds of three values, with blots on them.
  constexpr std::size_t width = 64;
  Cursor random(Rng(7).stream(Stream::test, 517));
  Values page(width * 200);
  for (std::size_t i = 0; i < page.size(); ++i) page[i] = static_cast<std::uint8_t>(i / 4500 * 90);
  for (int blot = 0; blot < 30; ++blot)
    for (std::uint32_t at = random.below(12'000), left = 9; left > 0; --left)
      page[at + left] = static_cast<std::uint8_t>(random.below(256));
  const Form form{Kind::grey, width};
  for (const Level level : {Level::normal, Level::best}) there_and_back(page, form, level);
  CHECK(there_and_back(Values(20'000, 77), form, Level::normal) < 40);
}

TEST_CASE("adaptive: bytes that no encoder made decode to something") {
  for (const Form& form : every_form)
    for (const std::size_t size : {0u, 3u, 400u}) {
      const Values noise = random_bytes(size, 256);
      if (!fits(form, 600)) continue;
      CHECK(decode(std::as_bytes(std::span(noise)), 600, form, Level::normal).size() == 600);
    }
}

TEST_CASE("adaptive: the first text is read once where what it teaches is kept") {
  const Values block = prose(1500);
  Taught taught;
  std::size_t levels = 0;
  for (const Level level : {Level::normal, Level::best}) {
    const Start reading(level, first_text()), keeping(level, first_text(), &taught);
    const auto coded = encode(block, {}, reading);
    ++levels;
    for (int times = 0; times < 2; ++times) {
      CHECK(encode(block, {}, keeping) == coded);
      CHECK(taught.count() == levels);
    }
    CHECK(decode(coded, block.size(), {}, keeping) == block);
    CHECK(taught.count() == levels);
  }
}

TEST_CASE("adaptive: an encoder stops when it is over its limit") {
  const Values data = random_bytes(50'000, 256);
  const std::size_t stopped = encode(data, {}, Level::normal, 1000).size();
  CHECK(stopped > 1000);
  CHECK(stopped < 1100);
}

TEST_CASE("adaptive: memory is bounded by the level") {
  constexpr std::uint64_t mebibyte = 1 << 20;
  CHECK(memory_for(std::size_t{16} << 20, Level::normal) <= 64 * mebibyte);
  CHECK(memory_for(std::size_t{16} << 20, Level::best) <= 256 * mebibyte);
  CHECK(memory_for(1000, Level::best) <= 2 * mebibyte);
}

}  // namespace logpx::adaptive_test
