// Contexts of grey rasters as versions 2.4 and 2.5 of the format have them.
#pragma once

#include "libcore/codec/adaptive/form.hpp"
#include "libcore/codec/adaptive/past.hpp"
#include "libcore/codec/adaptive/pixel_values.hpp"

#include <cstdlib>

namespace logpx::codec::adaptive {

template <Level level>
class EarlierGreyContexts {
 public:
  static constexpr int count = level == Level::best ? 22 : 14, first_seen = 0, last_seen = 14;
  static constexpr Level level_of = level;
  static constexpr int mixer_rate = 60;
  static constexpr int rows = 256;

  explicit EarlierGreyContexts(const Form& form) : row_(form.row), plane_(form.plane) {}

  void next_byte(const Past& past, std::uint8_t) {
    w_ = past.back(1), n_ = past.back(row_), nw_ = past.back(row_ + 1), ne_ = past.back(row_ - 1);
    const int rough = std::abs(w_ - nw_) + std::abs(n_ - nw_) + std::abs(n_ - ne_);
    class_ = roughness_class(rough) * 8 + 64 * ((w_ == 0) + 2 * (n_ == 0));
  }

  void hashes(const Past& past, std::uint32_t* h) const {
    const int w = w_, n = n_, nw = nw_, ne = ne_, ww = past.back(2), nn = past.back(2 * row_);
    const std::uint64_t plane = as_byte(w + n - nw);
    const std::size_t in_image = plane_ == 0 ? past.position : past.position % plane_;
    const std::uint64_t x = in_image % row_, y = plane_ == 0 ? 0 : in_image / row_;
    std::uint32_t i = 0;
    const auto add = [&](std::uint64_t value) { h[i] = hash_of(value, i), ++i; };
    add(joined(w, n));
    add(plane);
    add(joined(w, n, nw));
    add(joined(n, ne));
    add(joined((w + n) / 2, std::abs(w - n) / 8));
    add(joined(as_byte(w + ne - n), n >> 4));
    add(joined(w, ww));
    add(joined(n, nn));
    add(joined((w + 2 * n + ne) / 4, (std::abs(n - nw) + std::abs(w - nw)) / 8));
    add(joined(w >> 2, n >> 2, ne >> 2, nw >> 2));
    add(joined(as_byte(2 * n - nn), as_byte(2 * w - ww) / 16));
    add(joined(w, n, ne, nw, ww, nn));
    add(x | y << 16);
    add(x / 2 | y / 2 << 16 | joined(w >> 5, n >> 5) << 32);
    if constexpr (level == Level::best) {
      const int nne = past.back(2 * row_ - 1), nww = past.back(row_ + 2), nee = past.back(row_ - 2);
      add(joined(as_byte(w + ne - n), plane));
      const auto halves = [](int a, int b) { return (a & 0xf0) | b >> 4; };
      add(joined(halves(w, n), halves(ne, nw), halves(ww, nn), halves(nne, nww)));
      add(joined((w + ne + 1) / 2, nw / 16));
      add(joined(w, n, ne, nw, nee, nww, ww));
      add(joined(as_byte((3 * w + 3 * n - 2 * nw) / 4)));
      add(joined((nee + ne) / 2, w));
      add(0);
      add(joined(w >> 3, n >> 3, ne >> 3, nw >> 3, ww >> 3, nn >> 3));
    }
  }
  [[nodiscard]] int row(const Past&, unsigned, int bit_number) const { return class_ + bit_number; }
  [[nodiscard]] std::uint32_t narrow(const Past&) const {
    return static_cast<std::uint32_t>(std::clamp(w_ + n_ - nw_, 0, 255));
  }
  [[nodiscard]] std::uint32_t wide(const Past&) const {
    return static_cast<std::uint32_t>(w_ | n_ << 8);
  }

 private:
  std::size_t row_, plane_;
  int w_ = 0, n_ = 0, nw_ = 0, ne_ = 0, class_ = 0;
};

}  // namespace logpx::codec::adaptive
