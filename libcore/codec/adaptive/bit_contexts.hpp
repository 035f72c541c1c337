// Contexts of rasters of eight pixels a byte: the bits to the left, and those of the rows above.
#pragma once

#include "libcore/codec/adaptive/form.hpp"
#include "libcore/codec/adaptive/past.hpp"
#include "libcore/codec/adaptive/pixel_values.hpp"

#include <cstdint>

namespace logpx::codec::adaptive {

template <Level level>
class BitContexts {
 public:
  static constexpr int count = level == Level::best ? 16 : 12, first_seen = 0, last_seen = 12;
  static constexpr Level level_of = level;
  static constexpr int mixer_rate = 110;
  static constexpr int rows = 16 * 8;

  explicit BitContexts(const Form& form) : row_(form.row) {}

  void next_byte(const Past& past, std::uint8_t) {
    up_ = past.back(row_);
    up2_ = past.back(2 * row_);
  }

  void hashes(const Past& past, std::uint32_t* h) const {
    const std::uint64_t c1 = past.last(1), c2 = past.last(2);
    const int nw = past.back(row_ + 1), ne = past.back(row_ - 1), nw2 = past.back(2 * row_ + 1),
              ne2 = past.back(2 * row_ - 1), up3 = past.back(3 * row_);
    std::uint32_t i = 0;
    const auto add = [&](std::uint64_t value) { h[i] = hash_of(value, i), ++i; };
    add(joined(c1, up_));
    add(joined(c1 & 15, up_, nw & 15, ne >> 4));
    add(joined(c1 & 3, up_, nw & 1, ne >> 7, up2_));
    add(joined(c1 & 3, up_, nw & 3, ne >> 6));
    add(joined(c1, up_, up2_, up3, nw, ne));
    add(joined(c1, c2 >> 8, up_, nw, ne));
    add(past.last4);
    add(c1);
    add(joined(up_, up2_, up3));
    add(joined(c1, up_, up2_, (nw & 15) << 4 | ne >> 4, (nw2 & 15) << 4 | ne2 >> 4));
    add(c2);
    add(joined(c1 & 7, up_, up2_, (nw & 3) << 6 | (ne >> 6) << 4 | (nw2 & 1) << 1 | ne2 >> 7));
    if constexpr (level == Level::best) {
      add(joined(c1, past.last(3) >> 8, up_, nw, ne, up2_));
      add(past.last4 | std::uint64_t{past.before4} << 32);
      add(joined(up_, nw, ne, up2_, past.back(row_ - 2)));
      add(joined(c1 & 1, up_, up2_ & 60, past.back(4 * row_)));
    }
  }
  [[nodiscard]] int row(const Past& past, unsigned whole, int bit_number) const {
    const int shift = 7 - bit_number;
    const int west =
        bit_number > 0 ? static_cast<int>(whole & 1) : static_cast<int>(past.last(1) & 1);
    const int east = shift > 0 ? up_ >> (shift - 1) & 1 : 0;
    return (up_ >> shift & 1) | (up2_ >> shift & 1) << 1 | west << 2 | east << 3 | bit_number << 4;
  }
  [[nodiscard]] std::uint32_t narrow(const Past&) const { return static_cast<std::uint32_t>(up_); }
  [[nodiscard]] std::uint32_t wide(const Past& past) const {
    return past.last(1) | static_cast<std::uint32_t>(up_) << 8;
  }

 private:
  std::size_t row_;
  int up_ = 0, up2_ = 0;
};

}  // namespace logpx::codec::adaptive
