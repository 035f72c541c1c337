// Contexts of drawings, rasters of three or four bytes a pixel. Most pixels lie among equal ones,
// and are asked for as such first; the others are told by whole pixels around them, which meet
// again at every edge, and where colours change little by little by what these foretell.
#pragma once

#include "libcore/codec/adaptive/flat_pixels.hpp"
#include "libcore/codec/adaptive/form.hpp"
#include "libcore/codec/adaptive/near_samples.hpp"
#include "libcore/codec/adaptive/pixel_values.hpp"

#include <bit>

namespace logpx::codec::adaptive {

template <Level level, int colours>
class DrawingContexts {
 public:
  static constexpr int count = level == Level::best ? 21 : 13, first_seen = 0, last_seen = 8;
  static constexpr Level level_of = level;
  static constexpr int mixer_rate = 160;
  static constexpr int chances = 1;
  static constexpr int equal_rows = 16 * colours * 8;
  static constexpr int rows = equal_rows + FlatPixels<colours>::rows;
  static constexpr int spread_rows = colours * PixelForecast::spreads * 8;
  static constexpr int other_rows = spread_rows + FlatPixels<colours>::other_rows;
  static constexpr std::size_t flat_pixel = colours;

  explicit DrawingContexts(const Form& form)
      : row_(form.row), flat_(form.row), forecast_(form.row, colours) {}

  void begin(const Past& past) { look(past); }
  void next_byte(const Past& past, std::uint8_t byte) {
    if (foretold_) forecast_.learn(byte);
    else forecast_.pass(colour_);
    foretold_ = false;
    colour_ = static_cast<int>(past.position % colours);
    if (colour_ != 0) return;
    flat_.add(FlatPixels<colours>::pixel(past, pixel));
    look(past);
  }

  [[nodiscard]] bool is_flat() const { return colour_ == 0 && flat_.flat(); }
  void flat_hashes(const Past& past, std::uint32_t* h) const { flat_.few_hashes(past, h, count); }
  // The bits of this byte are asked for.
  void begin_bits(const Past& past) {
    foretold_ = true;
    here_ = near_samples(past, 0, row_, pixel);
    // Colours of the pixel before say nothing here.
    before_ = colour_ > 0 ? near_samples(past, 1, row_, pixel) : NearSamples{};
    second_ = colour_ > 1 ? near_samples(past, 2, row_, pixel) : before_;
    forecast_.foretell(colour_, (here_.w + here_.n) / 2, forecast_taps(here_, before_, second_));
    equal_ = 0;
    for (const std::size_t distance : {pixel, row_, row_ - pixel, row_ + pixel})
      equal_ = 2 * equal_ + begins_like(past, distance);
  }

  void hashes(const Past& past, std::uint32_t* h) const {
    const NearSamples &a = here_, &b = before_, &s = second_;
    const std::uint64_t known = colour_ == 0 ? 0 : past.last(colour_);
    const int from_w = a.w + b.now - b.w, from_n = a.n + b.now - b.n,
              gradient = a.w + a.n - a.nw + b.now - (b.w + b.n - b.nw);
    const int foretold = forecast_.value();
    std::uint32_t i = 0;
    const auto add = [&](std::uint64_t value) {
      h[i] = hash_of(value << 2 | static_cast<std::uint64_t>(colour_), i);
      ++i;
    };
    // Beside what is known of this pixel.
    const auto beside = [&](auto... pixels) {
      std::uint64_t all = known;
      ((all = (all ^ pixels) * 0x9E3779B97F4A7C15u, all ^= all >> 29), ...);
      add(all);
    };
    beside(w_, n_), beside(n_, ne_), beside(w_, n_, nw_, ne_);
    beside(w_, n_, nw_, ne_, ww_, nn_), beside(w_), beside(n_), beside(w_, ww_), beside(0u);
    beside(n_, nn_), beside(w_, nw_);
    add(joined(as_byte(gradient), as_byte(from_w), as_byte(from_n)));
    add(joined(foretold, b.now, equal_)), add(joined(a.w, a.n, as_byte(b.now - b.w + 128)));
    if constexpr (level == Level::best) {
      beside(w_, ne_), beside(nw_, n_), beside(w_, n_, nn_, ww_), beside(ne_, nw_);
      add(joined(as_byte(from_w), as_byte(from_n))), add(joined(foretold / 4, b.now, s.now));
      add(joined(a.w, a.n, a.nw));
      add(joined(as_byte(2 * a.n - a.nn), as_byte(2 * a.w - a.ww), equal_));
    }
  }
  // The chance of the next bit that the forecast gives.
  [[nodiscard]] std::uint32_t chance(int, unsigned whole, int bit_number) {
    return whole == 0 ? unknown_chance : forecast_.chance(whole, bit_number);
  }
  [[nodiscard]] int row(const Past&, unsigned whole, int bit_number) const {
    return whole == 0 ? equal_rows + flat_.row() : (equal_ * colours + colour_) * 8 + bit_number;
  }
  [[nodiscard]] int other_row(unsigned whole) const {
    if (whole == 0) return spread_rows + flat_.other_row();
    const int bit_number = std::bit_width(whole) - 1;
    return (colour_ * PixelForecast::spreads + forecast_.spread()) * 8 + bit_number;
  }
  [[nodiscard]] std::uint32_t narrow(const Past& past) const { return past.last(1); }
  [[nodiscard]] std::uint32_t wide(const Past& past) const {
    return static_cast<std::uint32_t>(past.back(pixel) | past.back(row_) << 8);
  }

 private:
  static constexpr std::size_t pixel = colours;  // bytes

  // Whole pixels around the one that comes next.
  void look(const Past& past) {
    const auto at = [&](std::size_t distance) {
      return FlatPixels<colours>::pixel(past, distance);
    };
    w_ = at(pixel), n_ = at(row_), nw_ = at(row_ + pixel), ne_ = at(row_ - pixel);
    ww_ = at(2 * pixel), nn_ = at(2 * row_);
    flat_.look(past);
  }
  // Whether the bytes of this pixel that are known are those of the pixel there.
  [[nodiscard]] bool begins_like(const Past& past, std::size_t distance) const {
    for (int i = 1; i <= colour_; ++i)
      if (past.back(static_cast<std::size_t>(i)) !=
          past.back(distance + static_cast<std::size_t>(i)))
        return false;
    return true;
  }

  std::size_t row_;
  FlatPixels<colours> flat_;
  PixelForecast forecast_;
  bool foretold_ = false;
  int colour_ = 0, equal_ = 0;  // equal_: which pixels around begin like this one
  std::uint32_t w_ = 0, n_ = 0, nw_ = 0, ne_ = 0, ww_ = 0, nn_ = 0;
  NearSamples here_, before_, second_;
};

}  // namespace logpx::codec::adaptive
