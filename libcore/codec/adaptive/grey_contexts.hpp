// Contexts of rasters of one byte a pixel: neighbours, what gradients and planes through them
// foretell, forecasts that learn, and the place in the raster. Pixels among equal ones are asked
// for as such first.
#pragma once

#include "libcore/codec/adaptive/flat_pixels.hpp"
#include "libcore/codec/adaptive/forecast_chance.hpp"
#include "libcore/codec/adaptive/grey_forecast.hpp"
#include "libcore/codec/adaptive/pixel_values.hpp"

#include <cstdlib>

namespace logpx::codec::adaptive {

template <Level level>
class GreyContexts {
 public:
  static constexpr int count = level == Level::best ? 48 : 34, first_seen = 0, last_seen = 14;
  static constexpr Level level_of = level;
  static constexpr int mixer_rate = 40;
  static constexpr int chances = GreyForecast::ways;
  static constexpr int spreads = 16, near_rows = 256, spread_rows = spreads * 8 * 16;
  static constexpr int rows = near_rows + FlatPixels<1>::rows;
  static constexpr int other_rows = spread_rows + FlatPixels<1>::other_rows;
  static constexpr std::size_t flat_pixel = 1;

  explicit GreyContexts(const Form& form)
      : row_(form.row), plane_(form.plane), flat_(form.row), forecast_(form) {}

  void begin(const Past& past) { look(past); }
  void next_byte(const Past& past, std::uint8_t byte) {
    flat_.add(byte);
    if (foretold_) forecast_.learn(byte);
    else forecast_.pass();
    look(past);
  }

  [[nodiscard]] bool is_flat() const { return flat_.flat(); }
  void flat_hashes(const Past& past, std::uint32_t* h) const {
    flat_.hashes(past, column(past), line(past), h, count);
  }
  // The bits of this pixel are asked for.
  void begin_bits(const Past& past) {
    foretold_ = true;
    forecast_.foretell(past);
    for (std::size_t k = 0; k < chances_.size(); ++k)
      chances_[k].begin(forecast_.value(k), std::max(0.15, 0.6 * forecast_.error(k)), 8);
    const double off = forecast_.error(mean_way);
    spread_ = 0;
    for (double limit = 0.4; spread_ < spreads - 1 && off > limit; limit *= 1.5) ++spread_;
  }

  void hashes(const Past& past, std::uint32_t* h) const {
    const auto at = [&past](std::size_t distance) { return past.back(distance); };
    const std::size_t r = row_;
    const int w = w_, n = n_, nw = nw_, ne = ne_, ww = at(2), nn = at(2 * r), nne = at(2 * r - 1),
              nww = at(r + 2), nee = at(r - 2), www = at(3), nnn = at(3 * r);
    const std::uint64_t plane = as_byte(w + n - nw), x = column(past), y = line(past);
    const int near = forecast_.rounded(0), wide = forecast_.rounded(1),
              mean = forecast_.rounded(mean_way), s = spread_,
              quarters = static_cast<int>(4 * forecast_.value(mean_way) + 0.5);
    std::uint32_t i = 0;
    const auto add = [&](std::uint64_t value) { h[i] = hash_of(value, i), ++i; };
    const auto halves = [](int a, int b) { return (a & 0xf0) | b >> 4; };
    add(joined(w, n)), add(plane);
    add(joined(w, n, nw)), add(joined(n, ne));
    add(joined((w + n) / 2, std::abs(w - n) / 8)), add(joined(as_byte(w + ne - n), n >> 4));
    add(joined(w, ww)), add(joined(n, nn));
    add(joined((w + 2 * n + ne) / 4, (std::abs(n - nw) + std::abs(w - nw)) / 8));
    add(joined(w >> 2, n >> 2, ne >> 2, nw >> 2));
    add(joined(as_byte(2 * n - nn), as_byte(2 * w - ww) / 16)), add(joined(w, n, ne, nw, ww, nn));
    add(x | y << 16), add(x / 2 | y / 2 << 16 | joined(w >> 5, n >> 5) << 32);
    add(joined(as_byte(w + ne - n), plane));
    add(joined(halves(w, n), halves(ne, nw), halves(ww, nn), halves(nne, nww)));
    add(joined((w + ne + 1) / 2, nw / 16)), add(joined(w, n, ne, nw, nee, nww, ww));
    add(joined(as_byte((3 * w + 3 * n - 2 * nw) / 4))), add(joined((nee + ne) / 2, w));
    add(0), add(joined(w >> 3, n >> 3, ne >> 3, nw >> 3, ww >> 3, nn >> 3));
    add(joined(quarters & 255, quarters >> 8)), add(joined(mean, s));
    add(joined(near, w)), add(joined(mean, std::abs(w - n) / 4, s));
    add(joined(wide, n)), add(joined(mean, ne));
    add(joined(w >> 5, n >> 5, ne >> 5, nw >> 5, ww >> 5, nn >> 5) | x << 48);
    add(joined(w >> 4, n >> 4) | x << 16 | y << 32);
    add(joined(bright(w, n, nw, ne, ww, nn, nee, nww),
               bright(nne, at(2 * r + 1), at(2 * r + 2), at(2 * r - 2), nnn, www), w >> 3, n >> 3));
    add(joined(w >> 2, n >> 2, ne >> 3, nw >> 3, ww >> 3, nn >> 3, nee >> 4));
    add(joined(w) | x << 8), add(joined(n) | x << 8);
    if constexpr (level == Level::best) {
      add(joined(mean / 2) | x << 8), add(joined(wide));
      add(joined(w, n, ww, nn)), add(joined(w, n, ne));
      add(joined(n, nn, nnn)), add(joined(w, ww, www));
      add(joined(w, nw, nww)), add(joined(ne, nee, n));
      add(joined(as_byte(2 * n - nn), w)), add(joined(plane, ne));
      add(joined(as_byte(n + ne - nne), w)), add(joined(as_byte(w + nw - nww), n));
      add(joined(mean, n, w)), add(joined(w, nw, n, ne));
    }
  }
  [[nodiscard]] std::uint32_t chance(int way, unsigned whole, int bit_number) {
    if (whole == 0) return unknown_chance;
    ForecastChance& chance = chances_[static_cast<std::size_t>(way)];
    if (bit_number > 0) chance.learn(static_cast<int>(whole & 1));
    return chance_of_count(chance.next(), fixed_count);
  }
  [[nodiscard]] int row(const Past&, unsigned whole, int bit_number) const {
    return whole == 0 ? near_rows + flat_.row() : class_ + bit_number;
  }
  [[nodiscard]] int other_row(unsigned whole) const {
    const int equal = (w_ == n_) + 2 * (n_ == ne_) + 4 * (w_ == nw_) + 8 * (w_ == 255 || n_ == 255);
    return whole == 0 ? spread_rows + flat_.other_row() : 8 * spread_ + 8 * spreads * equal;
  }
  [[nodiscard]] std::uint32_t narrow(const Past&) const {
    return static_cast<std::uint32_t>(std::clamp(w_ + n_ - nw_, 0, 255));
  }
  [[nodiscard]] std::uint32_t wide(const Past&) const {
    return static_cast<std::uint32_t>(w_ | n_ << 8);
  }

 private:
  static constexpr std::size_t mean_way = GreyForecast::mean;

  void look(const Past& past) {
    w_ = past.back(1), n_ = past.back(row_), nw_ = past.back(row_ + 1), ne_ = past.back(row_ - 1);
    const int rough = std::abs(w_ - nw_) + std::abs(n_ - nw_) + std::abs(n_ - ne_);
    class_ = roughness_class(rough) * 8 + 64 * ((w_ == 0) + 2 * (n_ == 0));
    flat_.look(past);
    foretold_ = false;
  }
  [[nodiscard]] std::uint64_t in_raster(const Past& past) const {
    return plane_ == 0 ? past.position : past.position % plane_;
  }
  [[nodiscard]] std::uint64_t column(const Past& past) const { return in_raster(past) % row_; }
  [[nodiscard]] std::uint64_t line(const Past& past) const {
    return plane_ == 0 ? 0 : in_raster(past) / row_;
  }
  // Which pixels are in the upper half of all values.
  template <typename... Pixels>
  static unsigned bright(Pixels... pixels) {
    unsigned bits = 0;
    ((bits = 2 * bits + (pixels > 127)), ...);
    return bits;
  }

  std::size_t row_, plane_;
  FlatPixels<1> flat_;
  GreyForecast forecast_;
  std::array<ForecastChance, chances> chances_;
  bool foretold_ = false;
  int w_ = 0, n_ = 0, nw_ = 0, ne_ = 0, class_ = 0, spread_ = 0;
};

}  // namespace logpx::codec::adaptive
