// Bytes by the coders of `--effort`, both ways on one thread, beside the floors that they have on
// text, rasters and bits; decoding beside encoding; and blocks on two threads.
#include "libcore/base/clock.hpp"
#include "libcore/base/parallel.hpp"
#include "libcore/base/rng.hpp"
#include "libcore/codec/adaptive/adaptive.hpp"
#include "libcore/codec/fallback.hpp"
#include "tests/bench/bench.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace logpx::bench {
namespace {

using namespace codec;
using adaptive::Form;
using adaptive::Kind;
using adaptive::Level;

using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t bytes = 1 << 18;
constexpr double slowest_decoding = 1.2;  // of the time that encoding takes

// Words of letters, the first of them the most frequent, in lines of some seventy letters.
Bytes words() {
  Cursor random(Rng(1).stream(Stream::test, 10));
  std::vector<std::string> vocabulary(5000);
  for (std::string& word : vocabulary)
    for (std::uint32_t left = 2 + random.below(8); left > 0; --left)
      word += static_cast<char>('a' + random.below(1 + random.below(26)));
  Bytes text;
  for (std::size_t column = 0; text.size() < bytes; ++column) {
    const std::string& word = vocabulary[random.below(1 + random.below(1 + random.below(5000)))];
    text.insert(text.end(), word.begin(), word.end());
    text.push_back(column % 12 == 11 ? '\n' : ' ');
  }
  text.resize(bytes);
  return text;
}

// Waves of several lengths, and noise in their lowest bits.
Bytes waves(std::size_t width) {
  Cursor random(Rng(1).stream(Stream::test, 11));
  Bytes raster(bytes);
  for (std::size_t i = 0; i < bytes; ++i) {
    const auto x = static_cast<double>(i % width), y = static_cast<double>(i / width);
    const double height = 128 + 60 * std::sin(0.03 * x + 0.011 * y) + 40 * std::sin(0.07 * y);
    raster[i] = static_cast<std::uint8_t>(height + random.below(8));
  }
  return raster;
}

// The same in three colours, which share their noise.
Bytes photograph(std::size_t width) {
  Cursor random(Rng(1).stream(Stream::test, 14));
  Bytes raster;
  for (std::size_t i = 0; raster.size() < bytes; ++i) {
    const auto x = static_cast<double>(i % width), y = static_cast<double>(i / width);
    const double light = 60 * std::sin(0.03 * x + 0.011 * y) + random.below(8);
    for (const double tone : {0.02, 0.05, 0.09})
      raster.push_back(static_cast<std::uint8_t>(128 + light + 40 * std::sin(tone * y)));
  }
  raster.resize(bytes);
  return raster;
}

// Boxes on a ground, of four bytes a pixel.
Bytes drawing(std::size_t width) {
  Cursor random(Rng(1).stream(Stream::test, 15));
  Bytes raster(bytes);
  const std::uint32_t height = static_cast<std::uint32_t>(bytes / (4 * width));
  for (int box = 0; box < 60; ++box) {
    const std::uint32_t left = random.below(static_cast<std::uint32_t>(width) - 30),
                        top = random.below(height - 20), grey = random.below(200);
    for (std::size_t y = top; y < top + 20; ++y)
      for (std::size_t x = left; x < left + 30; ++x)
        for (std::size_t i = 0; i < 4; ++i)
          raster[4 * (y * width + x) + i] = static_cast<std::uint8_t>(i == 3 ? 255 : grey + 9 * i);
  }
  return raster;
}

// Waves of two channels of 16 bits, and noise.
Bytes sound() {
  Cursor random(Rng(1).stream(Stream::test, 13));
  Bytes samples(bytes);
  for (std::size_t i = 0; i + 1 < bytes; i += 2) {
    const auto t = static_cast<double>(i / 4), phase = i % 4 == 0 ? 0.0 : 0.7;
    const double height =
        6000 * std::sin(0.05 * t + phase) + 2500 * std::sin(0.31 * t - phase) + random.below(200);
    const auto sample = static_cast<std::int16_t>(height);
    samples[i] = static_cast<std::uint8_t>(sample);
    samples[i + 1] = static_cast<std::uint8_t>(sample >> 8);
  }
  return samples;
}

// A letter-like page: the signs of the waves, eight pixels a byte.
Bytes page(std::size_t row) {
  const std::size_t width = 8 * row;
  Cursor random(Rng(1).stream(Stream::test, 12));
  Bytes packed(bytes, 0);
  for (std::size_t i = 0; i < 8 * bytes; ++i) {
    const auto x = static_cast<double>(i % width), y = static_cast<double>(i / width);
    const double height = std::sin(0.15 * x + 0.4 * std::sin(0.05 * y)) + std::sin(0.21 * y);
    const bool ink = height + 0.02 * random.below(16) > 0.5;
    packed[i / 8] = static_cast<std::uint8_t>(packed[i / 8] | ink << (7 - i % 8));
  }
  return packed;
}

struct Case {
  std::string name;
  Bytes data;
  Form form;           // as the adaptive coder sees them
  FallbackForm coded;  // as the coder of `fast` does
  double floor;        // MB/s of the normal level
};

std::vector<Case> cases() {
  constexpr std::size_t row = 64;
  const FallbackForm grey = {.kind = FallbackKind::image, .height = 512, .width = 512};
  return {{"text", words(), {}, {}, 0.8},
          {"grey", waves(512), {Kind::grey, 512, 0}, grey, 0.7},
          {"photographs", photograph(256), {Kind::rgb, 3 * 256, 0}, {}, 0.7},
          {"drawings", drawing(256), {Kind::rgba, 4 * 256, 0}, {}, 1},
          {"samples", sound(), {Kind::samples, 0, 0, {2, 2}}, {}, 0.6},
          {"bits", page(row), {Kind::bits, row, 0}, {}, 1}};
}

using Call = std::function<void()>;

void add_rate(Bench& bench, const std::string& name, double seconds, std::optional<double> floor) {
  const double rate = static_cast<double>(bytes) / seconds / 1e6;
  Row row = {.name = name, .value = rate, .unit = "MB/s"};
  if (floor) {
    row.share = rate / *floor;
    row.floor = 1;
    row.of = std::to_string(*floor).substr(0, 3) + " MB/s";
  }
  bench.add(row);
}

// Both directions, which take turns.
void add_both_ways(Bench& bench, const std::string& name, const std::vector<Call>& both,
                   std::optional<double> floor) {
  const std::vector<double> seconds = bench.seconds(both);
  add_rate(bench, name + ", encode", seconds[0], floor);
  add_rate(bench, name + ", decode", seconds[1], floor);
  if (!floor) return;
  bench.add({.name = name + ", decode beside encode",
             .value = seconds[1] / seconds[0],
             .unit = "times",
             .share = slowest_decoding * seconds[0] / seconds[1],
             .floor = 1,
             .of = "1.2 times"});
}

void bench_fast(Bench& bench, const Case& item) {
  Message message(4);
  const Call encode = [&] {
    message = Message(4);
    push_fallback(message, item.data, item.coded);
  };
  const Call decode = [&] {
    Message read = message;
    static_cast<void>(pop_fallback(read, item.data.size(), item.coded));
  };
  add_both_ways(bench, item.name + ", fast", {encode, decode}, {});
}

void bench_level(Bench& bench, const Case& item, Level level) {
  std::vector<std::byte> coded;
  const Call encode = [&] { coded = adaptive::encode(item.data, item.form, level); };
  const Call decode = [&] {
    static_cast<void>(adaptive::decode(coded, item.data.size(), item.form, level));
  };
  const bool best = level == Level::best;
  add_both_ways(bench, item.name + (best ? ", best" : ", normal"), {encode, decode},
                best ? 0.3 : item.floor);
}

// Four blocks, by one thread and by two in turn: seconds on the clock, the least of five rounds.
void bench_threads(Bench& bench, const Case& item) {
  Workers one(1), two(2);
  double alone = std::numeric_limits<double>::infinity(), together = alone;
  for (int round = 0; round < 5; ++round)
    for (auto& [workers, least] : {std::pair<Workers&, double&>(one, alone), {two, together}}) {
      const double begin = wall_seconds();
      workers.run(4, [&](std::int64_t) {
        static_cast<void>(adaptive::encode(item.data, item.form, Level::normal));
      });
      least = std::min(least, wall_seconds() - begin);
    }
  bench.add({.name = item.name + ", normal, four blocks by two threads",
             .value = alone / together,
             .unit = "times",
             .share = alone / together / 1.9,
             .floor = 1,
             .of = "1.9 times"});
}

}  // namespace

void bench_adaptive_coder(Bench& bench) {
  const std::vector<Case> all = cases();
  for (const Case& item : all) {
    bench_fast(bench, item);
    bench_level(bench, item, Level::normal);
    bench_level(bench, item, Level::best);
  }
  bench_threads(bench, all.front());
}

}  // namespace logpx::bench
