// Contexts of rasters of three bytes a pixel: what neighbours of the same colour foretell, what the
// colours of this pixel that are known say beside those of its neighbours, and a forecast that
// learns.
#pragma once

#include "libcore/codec/adaptive/form.hpp"
#include "libcore/codec/adaptive/near_samples.hpp"
#include "libcore/codec/adaptive/past.hpp"
#include "libcore/codec/adaptive/pixel_values.hpp"

namespace logpx::codec::adaptive {

template <Level level>
class RgbContexts {
 public:
  static constexpr int count = level == Level::best ? 20 : 10, first_seen = 0, last_seen = 10;
  static constexpr Level level_of = level;
  static constexpr int mixer_rate = 60;
  static constexpr int chances = 1;
  static constexpr int rows = 3 * PixelForecast::spreads * 8;

  explicit RgbContexts(const Form& form) : row_(form.row), forecast_(form.row) {}

  void next_byte(const Past& past, std::uint8_t byte) {
    forecast_.learn(byte);
    colour_ = static_cast<int>(past.position % 3);
    here_ = near_samples(past, 0, row_, 3);
    before_ = near_samples(past, 1, row_, 3);
    second_ = near_samples(past, 2, row_, 3);
    forecast_.foretell(colour_, (here_.w + here_.n) / 2, forecast_taps(here_, before_, second_));
    // Colours of the pixel before say nothing here.
    if (colour_ == 0) before_ = {};
    if (colour_ <= 1) second_ = before_;
    const int gradient = here_.w + here_.n - here_.nw;
    expected_ = std::clamp(gradient + before_.now - (before_.w + before_.n - before_.nw), 0, 255);
  }

  void hashes(const Past&, std::uint32_t* h) const {
    const NearSamples &a = here_, &b = before_, &s = second_;
    const int from_w = a.w + b.now - b.w, from_n = a.n + b.now - b.n, from_ne = a.ne + b.now - b.ne,
              second_w = a.w + s.now - s.w, foretold = forecast_.value();
    std::uint32_t i = 0;
    const auto add = [&](std::uint64_t value) {
      h[i] = hash_of(value << 2 | static_cast<std::uint64_t>(colour_), i);
      ++i;
    };
    add(joined(expected_));
    add(joined(as_byte(from_w), as_byte(from_n)));
    add(joined(as_byte(second_w), as_byte(from_w)));
    add(joined(b.now, s.now));
    add(joined(as_byte(2 * a.w - a.ww + b.now - std::clamp(2 * b.w - b.ww, 0, 255))));
    add(joined(as_byte(2 * a.n - a.nn), b.now / 8));
    add(joined(b.now, s.now, foretold / 4));
    add(joined(b.now, s.now, foretold));
    add(joined(as_byte(from_n), as_byte(second_w) / 8));
    add(joined(as_byte(from_ne), as_byte(from_w) / 4));
    if constexpr (level == Level::best) {
      const int even = (from_w + from_n) / 2, rough = std::abs(a.n - a.nw) + std::abs(a.w - a.nw);
      add(joined(b.now, s.now, a.w / 8));
      add(joined(as_byte(a.w + a.n - a.nw), b.now / 4));
      add(joined((a.w + a.n) / 2, b.now));
      add(joined(as_byte((from_w + from_ne + 2 * from_n) / 4), rough / 8));
      add(joined(as_byte(a.w + a.ne - a.n), expected_ / 8));
      add(joined(as_byte((expected_ + even) / 2), as_byte(from_ne) / 8));
      add(joined(b.now / 4, s.now / 4, foretold / 4, a.w / 8));
      add(joined(s.now, foretold / 2));
      add(joined(as_byte((3 * from_w + from_ne) / 4), s.now / 16));
      add(joined(a.w / 4, a.n / 4, a.ne / 4, b.now / 4, s.now / 16));
    }
  }
  // The chance of the next bit that the forecast gives.
  [[nodiscard]] std::uint32_t chance(int, unsigned whole, int bit_number) {
    return forecast_.chance(whole, bit_number);
  }
  [[nodiscard]] int row(const Past&, unsigned, int bit_number) const {
    return (colour_ * PixelForecast::spreads + forecast_.spread()) * 8 + bit_number;
  }
  [[nodiscard]] std::uint32_t narrow(const Past&) const {
    return static_cast<std::uint32_t>(forecast_.value());
  }
  [[nodiscard]] std::uint32_t wide(const Past&) const {
    return static_cast<std::uint32_t>(here_.w | here_.n << 8);
  }

 private:
  std::size_t row_;
  PixelForecast forecast_;
  int colour_ = 0, expected_ = 0;
  NearSamples here_, before_, second_;
};

}  // namespace logpx::codec::adaptive
