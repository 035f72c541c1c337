// Blocks of samples: how they are read, foretold and coded.
#include "libcore/base/hash.hpp"
#include "libcore/base/rng.hpp"
#include "libcore/codec/adaptive/adaptive.hpp"
#include "libcore/codec/adaptive/forecast_chance.hpp"
#include "libcore/codec/adaptive/likely_form.hpp"
#include "libcore/codec/adaptive/sample_forecast.hpp"
#include "libcore/codec/adaptive/sample_order.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

namespace logpx::samples_test {

using namespace logpx::codec::adaptive;

namespace {

using Values = std::vector<std::uint8_t>;

void put(Values& block, std::int64_t value, const SampleForm& form) {
  if (form.sign == Sign::none) value += std::int64_t{1} << (8 * form.bytes - 1);
  for (int i = 0; i < form.bytes; ++i) {
    const int place = form.order == ByteOrder::little ? i : form.bytes - 1 - i;
    block.push_back(static_cast<std::uint8_t>(value >> 8 * place));
  }
}

// Waves of a pitch for each channel, by whole numbers alone, with a little noise, at about an
// eighth of the range.
Values waves(std::size_t frames, const SampleForm& form) {
  Cursor random(Rng(21).stream(Stream::test, 550));
  Values block(form.offset, 'h');
  const std::int64_t height = std::int64_t{1} << (8 * form.bytes - 4);
  std::vector<std::int64_t> x(form.channels, height), v(form.channels, 0);
  for (std::size_t i = 0; i < frames; ++i)
    for (std::size_t c = 0; c < form.channels; ++c) {
      v[c] -= x[c] / static_cast<std::int64_t>(20 + 7 * c);
      x[c] += v[c];
      put(block, x[c] + random.below(3), form);
    }
  return block;
}

constexpr SampleForm every_layout[] = {{1, 2},
                                       {2, 2, ByteOrder::big},
                                       {1, 1, ByteOrder::little, Sign::none},
                                       {2, 3, ByteOrder::little, Sign::highest_bit, 6},
                                       {12, 2, ByteOrder::little, Sign::none, 5},
                                       {32, 3, ByteOrder::big, Sign::none, 44},
                                       {1, 3, ByteOrder::big}};

}  // namespace

TEST_CASE("samples: their bytes and signs are turned so that they count from 0, and back") {
  const SampleForm form{1, 2, ByteOrder::little, Sign::highest_bit, 1};
  Values block = {7, 0x34, 0x12, 0xff, 0xff, 9};
  order_samples(block, form);
  CHECK(block == Values{7, 0x92, 0x34, 0x7f, 0xff, 9});
  restore_samples(block, form);
  CHECK(block == Values{7, 0x34, 0x12, 0xff, 0xff, 9});
  CHECK(samples_from(0, form).offset == 1);
  CHECK(samples_from(1, form).offset == 0);
  CHECK(samples_from(2, form).offset == 1);
  CHECK(samples_from(9, {2, 3}).offset == 3);
}

TEST_CASE("samples: every layout gives any data back, and waves take a fraction of it") {
  for (const SampleForm& layout : every_layout)
    for (const Level level : {Level::normal, Level::best}) {
      const Form form{Kind::samples, 0, 0, layout};
      const Values sound = waves(400, layout);
      REQUIRE(fits(form, sound.size()));
      const std::vector<std::byte> coded = encode(sound, form, level);
      CHECK(decode(coded, sound.size(), form, level) == sound);
      if (layout.bytes == 1) continue;  // its waves repeat
      CHECK(coded.size() < encode(sound, {Kind::records, layout.frame()}, level).size());
    }
}

TEST_CASE("samples: rasters of 16 bits are foretold from the rows and planes above") {
  constexpr std::size_t width = 40, height = 30;
  const SampleForm deep{1, 2, ByteOrder::big, Sign::none};
  Cursor random(Rng(21).stream(Stream::test, 551));
  Values block;
  for (int z = 0; z < 3; ++z)
    for (int y = 0; y < static_cast<int>(height); ++y)
      for (int x = 0; x < static_cast<int>(width); ++x)
        put(block, 40 * x + 25 * y - x * y + 300 * z - 32000 + random.below(4), deep);
  const std::uint32_t row = 2 * width, plane = row * height;
  const auto size_by = [&](const Form& form) {
    const std::vector<std::byte> coded = encode(block, form, Level::normal);
    CHECK(decode(coded, block.size(), form, Level::normal) == block);
    return coded.size();
  };
  const std::size_t in_rows = size_by({Kind::samples, row, 0, deep}),
                    in_planes = size_by({Kind::samples, row, plane, deep});
  CHECK(5 * in_rows < 4 * size_by({Kind::records, row}));
  CHECK(in_planes < in_rows);
}

TEST_CASE("samples: forms that no encoder writes are refused") {
  const SampleForm stereo{2, 2};
  const Form bad[] = {{Kind::samples},
                      {Kind::samples, 0, 0, {0, 2}},
                      {Kind::samples, 0, 0, {33, 2}},
                      {Kind::samples, 0, 0, {1, 4}},
                      {Kind::samples, 0, 0, {1, 0}},
                      {Kind::samples, 0, 0, {1, 2, ByteOrder::big, Sign::none, 10'001}},
                      {Kind::samples, 0, 100, stereo},
                      {Kind::samples, 34, 0, stereo},
                      {Kind::samples, 28, 0, stereo},
                      {Kind::samples, 40, 50, stereo},
                      {Kind::grey, 40, 0, stereo}};
  for (const Form& form : bad) CHECK_FALSE(fits(form, 10'000));
  CHECK(fits({Kind::samples, 40, 400, stereo}, 10'000));
}

TEST_CASE("samples: forecasts are the same doubles on every machine") {
  const SampleForm stereo{2, 2, ByteOrder::big, Sign::none};
  const Values block = waves(3000, stereo);
  std::string bits;
  for (const Form& form :
       {Form{Kind::samples, 0, 0, stereo}, Form{Kind::samples, 80, 1600, stereo}}) {
    Values padded(8000, 0x80);
    padded.insert(padded.end(), block.begin(), block.end());
    SampleForecast forecast(form);
    Past past;
    past.now = padded.data() + 8000;
    for (std::size_t i = 0; i < block.size(); i += 2) {
      forecast.foretell(past);
      for (std::size_t way = 0; way < SampleForecast::ways; ++way) {
        const double numbers[] = {forecast.value(way), forecast.error(way)};
        bits.append(reinterpret_cast<const char*>(numbers), sizeof numbers);
      }
      forecast.learn(static_cast<std::uint32_t>(block[i] << 8 | block[i + 1]));
      past.add(block[i]);
      past.add(block[i + 1]);
    }
  }
  CHECK(sha256_hex(std::as_bytes(std::span(bits))).substr(0, 16) == "14f006e970d77d47");
}

TEST_CASE("samples: no samples make a forecast leave their range") {
  Cursor random(Rng(21).stream(Stream::test, 552));
  Values block(9000, 0x80);
  const SampleForm deep{3, 3, ByteOrder::big, Sign::none};
  SampleForecast forecast({Kind::samples, 0, 0, deep});
  Past past;
  past.now = block.data() + 4000;
  for (int i = 0; i < 1600; ++i) {
    forecast.foretell(past);
    for (std::size_t way = 0; way < SampleForecast::ways; ++way) {
      REQUIRE(forecast.value(way) >= 0);
      REQUIRE(forecast.value(way) < 16777216);
      REQUIRE(std::isfinite(forecast.error(way)));
    }
    const std::uint32_t sample = random.below(2) == 0 ? 0 : 16777215;
    for (int shift = 16; shift >= 0; shift -= 8) {
      block[4000 + past.position] = static_cast<std::uint8_t>(sample >> shift);
      past.add(static_cast<std::uint8_t>(sample >> shift));
    }
    forecast.learn(sample);
  }
}

TEST_CASE("samples: the chances of all values are of one distribution around the forecast") {
  for (const double centre : {-3.0, 0.0, 100.3, 255.0, 300.0}) {
    double sum = 0, mean = 0, likeliest = 0;
    int at = 0;
    for (int value = 0; value < 256; ++value) {
      ForecastChance chance;
      chance.begin(centre, 4, 8);
      double all = 1;
      for (int shift = 7; shift >= 0; --shift) {
        const int bit = value >> shift & 1;
        const double one = chance.next() / 4194304.0;
        all *= bit != 0 ? one : 1 - one;
        chance.learn(bit);
      }
      sum += all;
      mean += all * value;
      if (all > likeliest) likeliest = all, at = value;
    }
    CHECK(sum == doctest::Approx(1).epsilon(1e-9));
    CHECK(at == doctest::Approx(std::clamp(centre, 0.0, 255.0)).epsilon(0.01).scale(100));
    if (centre > 50 && centre < 200) CHECK(mean == doctest::Approx(centre).epsilon(0.01));
  }
}

TEST_CASE("samples: sound that nobody announced is found, in either order and behind a header") {
  for (const SampleForm& layout :
       {SampleForm{1, 2}, SampleForm{2, 2, ByteOrder::big}, SampleForm{1, 3},
        SampleForm{2, 2, ByteOrder::little, Sign::highest_bit, 3}}) {
    const Form form = likely_form(waves(12'000, layout), {});
    CHECK(form.kind == Kind::samples);
    CHECK(form.samples.bytes == layout.bytes);
    CHECK(form.samples.order == layout.order);
    CHECK(form.samples.offset % layout.bytes == layout.offset % layout.bytes);
  }
}

TEST_CASE("samples: a raster that nobody announced is found, though rows of records learn sooner") {
  constexpr std::uint32_t row = 94, size = row * 900;
  Cursor random(Rng(9).stream(Stream::test, 518));
  std::vector<std::uint32_t> values(size / 2);
  Values data;
  for (std::uint32_t i = 0; i < size / 2; ++i) {  // each follows from those to its left and above
    const std::uint32_t left = i % (row / 2) > 0 ? values[i - 1] : 600,
                        up = i >= row / 2 ? values[i - row / 2] : 600;
    values[i] = (3 * left + 4 * up + 600) / 8 + random.below(40) - 20;
    data.push_back(static_cast<std::uint8_t>(values[i] >> 8));
    data.push_back(static_cast<std::uint8_t>(values[i]));
  }
  const Form form = likely_form(data, {});
  CHECK(form.kind == Kind::samples);
  CHECK(form.row == row);
  CHECK(form.samples.order == ByteOrder::big);
}

TEST_CASE("samples: a raster is known behind a header, and by planes, longer than what is tried") {
  constexpr std::uint32_t header = 60'000, row = 512, plane = row * 200;
  Cursor random(Rng(9).stream(Stream::test, 517));
  Values data(header, 7);
  for (std::uint32_t i = 0; i < plane; ++i) {  // samples of two planes that slope
    const std::uint32_t value = 3000 + 9 * (i % (row / 2)) + 5 * (i / (row / 2)) + random.below(64);
    data.push_back(static_cast<std::uint8_t>(value));
    data.push_back(static_cast<std::uint8_t>(value >> 8));
  }
  const SampleForm samples{1, 2, ByteOrder::little, Sign::none, header};
  const Form known[] = {{Kind::samples, row, plane, samples}, {Kind::records, row}};
  CHECK(likely_form(data, known) == known[0]);
}

}  // namespace logpx::samples_test
