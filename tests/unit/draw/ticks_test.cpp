#include "formats/draw/ticks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace logpx::ticks_test {

using namespace logpx::draw;

namespace {

const TickRoom wide = {560, [](int letters) { return 8.0 * letters + 16; }};

std::string texts(const TickedAxis& axis) {
  std::string all;
  for (const Tick& tick : axis.ticks)
    if (!tick.text.empty()) all += (all.empty() ? "" : " ") + tick.text;
  return all;
}

std::string texts(double low, double high, AxisScale scale = AxisScale::linear) {
  return texts(ticked({.scale = scale}, low, high, wide));
}

}  // namespace

TEST_CASE("ticks: thousands are k, millions M, and neighbours are told apart") {
  CHECK(texts(-8000, 1000) == "-8k -7k -6k -5k -4k -3k -2k -1k 0 1k");
  CHECK(texts(0, 938) == "0 100 200 300 400 500 600 700 800 900 1000");
  CHECK(texts(0, 90000) == "0 10k 20k 30k 40k 50k 60k 70k 80k 90k");
  CHECK(texts(0, 1.9e7) == "0 2M 4M 6M 8M 10M 12M 14M 16M 18M 20M");
  CHECK(texts(0, 0.9) == "0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9");
  CHECK(texts(1000000.1, 1000000.4) == "1000000.1 1000000.2 1000000.3 1000000.4");
  CHECK(texts(0, 4e-9) == "0 1e-09 2e-09 3e-09 4e-09");
}

TEST_CASE("ticks: a log axis names its powers of ten, or round numbers where it has none") {
  CHECK(texts(1, 900, AxisScale::log) == "1 2 5 10 20 50 100 200 500 1k");
  CHECK(texts(1, 9e6, AxisScale::log) == "1 10 100 1k 10k 100k 1M 10M");
  CHECK(texts(100, 150, AxisScale::log) == "100 105 110 115 120 125 130 135 140 145 150");
  const TickedAxis powers = ticked({.scale = AxisScale::log}, 1, 9e6, wide);
  CHECK(std::count_if(powers.ticks.begin(), powers.ticks.end(),
                      [](const Tick& tick) { return tick.text.empty(); }) == 56);
}

TEST_CASE("ticks: ends that are given stay, others move to a tick") {
  const TickedAxis free = ticked({}, -7.7, 1.2, wide);
  CHECK(free.low == doctest::Approx(-8));
  CHECK(free.high == doctest::Approx(2));
  const TickedAxis held = ticked({.low = -3.3, .high = 1.1}, -7.7, 1.2, wide);
  CHECK(held.low == -3.3);
  CHECK(held.high == 1.1);
  CHECK(held.ticks.front().at >= -3.3);
  CHECK(held.ticks.back().at <= 1.1 + 1e-9);
}

TEST_CASE("ticks: texts never touch, and there is always an end") {
  for (const double low : {-8000.0, -1e-9, 0.0, 3.0, 12345.678, 1e15, -1e300})
    for (const double width : {0.0, 1e-12, 0.37, 1.0, 9000.0, 1e9, 1e200})
      for (const int pixels : {0, 40, 150, 700})
        for (const AxisScale scale : {AxisScale::linear, AxisScale::log}) {
          if (scale == AxisScale::log && low <= 0) continue;
          CAPTURE(low);
          CAPTURE(width);
          CAPTURE(pixels);
          const TickedAxis axis = ticked({.scale = scale}, low, low + width,
                                         {pixels, [](int letters) { return 8.0 * letters + 16; }});
          CHECK(axis.low < axis.high);
          const double slack = 1e-8 * (axis.high - axis.low);
          CHECK(axis.low <= low + slack);
          CHECK(axis.high >= low + width - slack);
          std::vector<double> places;
          std::size_t letters = 0;
          for (const Tick& tick : axis.ticks) {
            if (tick.text.empty()) continue;
            letters = std::max(letters, tick.text.size());
            const bool log = scale == AxisScale::log;
            places.push_back(pixels *
                             (log ? std::log(tick.at / axis.low) / std::log(axis.high / axis.low)
                                  : (tick.at - axis.low) / (axis.high - axis.low)));
          }
          CHECK(places.size() <= 60);
          for (std::size_t i = 1; i < places.size() && places.size() > 3; ++i)
            CHECK(places[i] - places[i - 1] >= 8.0 * static_cast<double>(letters));
        }
}

}  // namespace logpx::ticks_test
