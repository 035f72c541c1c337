// Contexts of rasters of three bytes a pixel, as they were up to format 2.2: neighbours of the same
// colour, and what the colours of this pixel that are known say beside those of its neighbours.
#pragma once

#include "libcore/codec/adaptive/grey_contexts.hpp"

namespace logpx::codec::adaptive {

template <Level level>
class EarlierRgbContexts {
 public:
  static constexpr int count = level == Level::best ? 23 : 15, first_seen = 0, last_seen = 15;
  static constexpr Level level_of = level;
  static constexpr int mixer_rate = 60;
  static constexpr int rows = 3 * 64;

  explicit EarlierRgbContexts(const Form& form) : row_(form.row) {}

  void next_byte(const Past& past, std::uint8_t) {
    colour_ = static_cast<int>(past.position % 3);
    w_ = past.back(3), n_ = past.back(row_), nw_ = past.back(row_ + 3), ne_ = past.back(row_ - 3);
    const int rough = std::abs(w_ - nw_) + std::abs(n_ - nw_) + std::abs(n_ - ne_);
    class_ = colour_ * 64 + roughness_class(rough) * 8;
    before_ = colour_ > 0 ? near_by(past, 1) : Near{};
    second_ = colour_ > 1 ? near_by(past, 2) : before_;
    const int gradient = w_ + n_ - nw_, step = before_.here - (before_.w + before_.n - before_.nw);
    expected_ = std::clamp(gradient + step, 0, 255);
  }

  void hashes(const Past& past, std::uint32_t* h) const {
    const int w = w_, n = n_, ww = past.back(6), nn = past.back(2 * row_);
    const Near &b = before_, &s = second_;
    const int from_w = w + b.here - b.w, from_n = n + b.here - b.n, from_ne = ne_ + b.here - b.ne;
    const int even = (from_w + from_n) / 2, rough_n = std::abs(n - nw_),
              rough_w = std::abs(w - nw_);
    const int off = std::abs(b.here - std::clamp(b.w + b.n - b.nw, 0, 255));
    std::uint32_t i = 0;
    const auto add = [&](std::uint64_t value) {
      h[i] = hash_of(value << 2 | static_cast<std::uint64_t>(colour_), i);
      ++i;
    };
    add(joined(w, n));
    add(joined(expected_));
    add(joined(as_byte(from_w), as_byte(from_n)));
    add(joined(as_byte(even), std::abs(from_w - from_n) / 8));
    add(joined(as_byte(w + n - nw_), b.here / 4));
    add(joined(expected_, off / 8));
    add(joined((w + n) / 2, past.last(1)));
    add(joined(as_byte(w + s.here - s.w), as_byte(from_w)));
    add(joined(as_byte((from_w + from_ne + 2 * from_n) / 4), (rough_w + rough_n) / 8));
    add(joined(b.here, s.here));
    add(joined(as_byte(w + ne_ - n), expected_ / 8));
    add(joined(expected_, w / 8, n / 8));
    add(joined(as_byte(2 * w - ww + b.here - std::clamp(2 * b.w - b.ww, 0, 255))));
    add(joined(as_byte(2 * n - nn), b.here / 8));
    add(joined(as_byte((expected_ + even) / 2), as_byte(from_ne) / 8));
    if constexpr (level == Level::best) {
      add(joined(as_byte((3 * w + 3 * n - 2 * nw_) / 4), b.here / 2));
      add(joined(as_byte(from_n), as_byte(w + s.here - s.w) / 8));
      add(joined(as_byte(from_ne), as_byte(from_w) / 4));
      add(joined(as_byte((3 * from_w + from_ne) / 4), s.here / 16));
      add(joined(w / 4, n / 4, ne_ / 4, b.here / 4, s.here / 16));
      add(joined(as_byte((w + s.here - s.w + n + s.here - s.n) / 2), expected_));
      add(joined((as_byte(even) + as_byte(expected_)) / 2));
      add(joined(w, ww));
    }
  }
  [[nodiscard]] int row(const Past&, unsigned, int bit_number) const { return class_ + bit_number; }
  [[nodiscard]] std::uint32_t narrow(const Past&) const {
    return static_cast<std::uint32_t>(expected_);
  }
  [[nodiscard]] std::uint32_t wide(const Past&) const {
    return static_cast<std::uint32_t>(w_ | n_ << 8);
  }

 private:
  // Another colour of this pixel, and of its neighbours.
  struct Near {
    int here = 0, w = 0, n = 0, nw = 0, ne = 0, ww = 0;
  };
  [[nodiscard]] Near near_by(const Past& past, std::size_t d) const {
    return {past.back(d),
            past.back(d + 3),
            past.back(d + row_),
            past.back(d + row_ + 3),
            past.back(d + row_ - 3),
            past.back(d + 6)};
  }

  std::size_t row_;
  int colour_ = 0, w_ = 0, n_ = 0, nw_ = 0, ne_ = 0, class_ = 0, expected_ = 0;
  Near before_, second_;
};

}  // namespace logpx::codec::adaptive
