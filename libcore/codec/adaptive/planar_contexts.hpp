// Contexts of rasters whose colours come one after another: neighbours, and the same pixels of the
// colour before.
#pragma once

#include "libcore/codec/adaptive/form.hpp"
#include "libcore/codec/adaptive/past.hpp"
#include "libcore/codec/adaptive/pixel_values.hpp"

namespace logpx::codec::adaptive {

template <Level level>
class PlanarContexts {
 public:
  static constexpr int count = level == Level::best ? 24 : 15, first_seen = 0, last_seen = 15;
  static constexpr Level level_of = level;
  static constexpr int mixer_rate = 60;
  static constexpr int rows = 3 * 64;

  explicit PlanarContexts(const Form& form) : row_(form.row), plane_(form.plane) {}

  void next_byte(const Past& past, std::uint8_t) {
    w_ = past.back(1), n_ = past.back(row_), nw_ = past.back(row_ + 1), ne_ = past.back(row_ - 1);
    p_ = past.back(plane_), pw_ = past.back(plane_ + 1), pn_ = past.back(plane_ + row_),
    pnw_ = past.back(plane_ + row_ + 1);
    const int rough = std::abs(w_ - nw_) + std::abs(n_ - nw_) + std::abs(n_ - ne_);
    gradient_ = std::clamp(w_ + n_ - nw_, 0, 255);
    expected_ = std::clamp(gradient_ + p_ - std::clamp(pw_ + pn_ - pnw_, 0, 255), 0, 255);
    // Where planes differ, one says little about the next.
    const int apart = std::abs((p_ - pw_) - (gradient_ - w_));
    class_ = roughness_class(rough) * 8 + 64 * (apart < 4 ? 0 : apart < 24 ? 1 : 2);
  }

  void hashes(const Past& past, std::uint32_t* h) const {
    const int w = w_, n = n_, nw = nw_, ne = ne_, ww = past.back(2), nn = past.back(2 * row_);
    const int from_w = w + p_ - pw_, from_n = n + p_ - pn_;
    const int both = std::abs(n - nw) + std::abs(w - nw);
    std::uint32_t i = 0;
    const auto add = [&](std::uint64_t value) { h[i] = hash_of(value, i), ++i; };
    add(joined(w, n));
    add(joined(gradient_, p_ / 16));
    add(joined(w, n, nw));
    add(joined(n, ne));
    add(joined((w + n) / 2, std::abs(w - n) / 8));
    add(joined(as_byte(w + ne - n), n >> 4));
    add(joined(w, ww));
    add(joined(as_byte((from_w + from_n) / 2), std::abs(from_w - from_n) / 8));
    add(joined(w >> 2, n >> 2, ne >> 2, nw >> 2));
    add(joined(as_byte(2 * n - nn), as_byte(2 * w - ww) / 16));
    add(joined(expected_, both / 16));
    add(joined(as_byte(from_w), as_byte(from_n)));
    add(joined(p_, w));
    add(joined(expected_, p_ / 32));
    add(joined(past.back(2 * plane_), p_));
    if constexpr (level == Level::best) {
      add(joined((w + 2 * n + ne) / 4, both / 8));
      const int pne = past.back(plane_ + row_ - 1), from_ne = ne + p_ - pne;
      add(joined(as_byte(from_n), as_byte(from_ne) / 4));
      add(joined(as_byte((from_w + from_ne) / 2), gradient_ / 8));
      add(joined((w + ne + 1) / 2, nw / 16));
      add(joined(w, n, ne, nw));
      add(joined(as_byte((3 * w + 3 * n - 2 * nw) / 4), p_ / 8));
      add(joined(p_, pw_, w));
      add(joined(w >> 3, n >> 3, ne >> 3, nw >> 3, p_ >> 3, pw_ >> 3));
      add(joined(expected_, (as_byte(from_w) + as_byte(from_n)) / 16));
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
  std::size_t row_, plane_;
  int w_ = 0, n_ = 0, nw_ = 0, ne_ = 0, p_ = 0, pw_ = 0, pn_ = 0, pnw_ = 0, class_ = 0;
  int gradient_ = 0, expected_ = 0;
};

}  // namespace logpx::codec::adaptive
