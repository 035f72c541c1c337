// Pixels among equal ones: whether the six nearest neighbours are equal, and contexts of whether
// the next pixel is equal to them, too, which is asked before its bits. They see where among these
// pixels it lies, and which of more distant ones are different.
#pragma once

#include "libcore/codec/adaptive/past.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace logpx::codec::adaptive {

class FlatPixels {
 public:
  static constexpr int rows = 64, other_rows = 64;

  explicit FlatPixels(std::size_t row) : row_(row) {}

  // Looks around the pixel that comes next.
  void look(const Past& past) {
    const std::size_t r = row_;
    value_ = past.back(1);
    flat_ = true;
    for (const std::size_t distance : {r, r + 1, r - 1, std::size_t{2}, 2 * r})
      flat_ = flat_ && past.back(distance) == value_;
    if (flat_) look_further(past);
  }
  // After a pixel, which was equal to those around it or not.
  void add(std::uint8_t pixel) { run_ = flat_ && pixel == value_ ? std::min(run_ + 1, 255) : 0; }

  [[nodiscard]] bool flat() const { return flat_; }
  // Its column, and its row if rasters have a known size.
  void hashes(const Past& past, std::uint64_t x, std::uint64_t y, std::uint32_t* h,
              int count) const {
    const auto at = [&](std::size_t distance) {
      return static_cast<unsigned>(past.back(distance));
    };
    const std::size_t r = row_;
    const std::uint32_t b = differ_;
    const int run = run_class();
    int i = 0;
    const auto add = [&](auto... values) {
      std::uint64_t all = 0;
      ((all = all * 0x9E3779B97F4A7C15u + static_cast<std::uint64_t>(values) + 1), ...);
      h[i] = hash_of(all, static_cast<std::uint32_t>(i) + 100);
      ++i;
    };
    add(b), add(b & 0xffff), add(b & 0x3ff), add(b & 63, x), add(x, y), add(b & 15, run, value_);
    add(reach_, run), add(reach_, x), add(y, run, reach_), add(at(r - 2), at(2 * r - 1));
    add(at(r - 2) >> 4, at(2 * r - 1) >> 4, at(2 * r - 2) >> 4, at(r - 3) >> 4);
    add(value_, b & 255), add(b >> 12), add(x / 2, y / 2, b & 63);
    add(x, b >> 6 & 1, b >> 17 & 1, at(3 * r)), add(at(r + 2), at(2 * r + 1), at(3));
    add(y, b & 255), add(run_), add(reach_, b & 63), add(value_, x), add(past.last4);
    add(b & 0x491311), add(0), add(x, y, b & 7), add(y, b & 63, x / 4),
        add(at(3 * r), at(2 * r - 2));
    for (int more = 4; i < count; ++more) add(b & ((2u << more) - 1), more % 2 == 0 ? x : y);
  }
  [[nodiscard]] int row() const { return std::min(rows - 1, 4 * reach_ + std::min(run_, 3)); }
  [[nodiscard]] int other_row() const { return static_cast<int>(differ_ & (other_rows - 1)); }

 private:
  static constexpr int most_reach = 15;

  void look_further(const Past& past) {
    const std::size_t r = row_;
    const std::array further = {
        r - 2, 2 * r - 1, 2 * r + 1,      r + 2, 2 * r - 2, 2 * r + 2, 3 * r,     std::size_t{3},
        r - 3, 3 * r - 1, 3 * r + 1,      r + 3, 2 * r - 3, 2 * r + 3, 3 * r - 2, 3 * r + 2,
        r - 4, 3 * r + 3, std::size_t{4}, r + 4, 3 * r - 3, 2 * r - 4, r - 5,     2 * r + 4};
    differ_ = 0;
    for (std::size_t i = 0; i < further.size(); ++i)
      differ_ |= std::uint32_t{past.back(further[i]) != value_} << i;
    reach_ = 0;
    for (std::size_t d = 2; reach_ < most_reach && d < r && past.back(r - d) == value_; ++d)
      ++reach_;
  }
  [[nodiscard]] int run_class() const {
    return run_ < 4 ? run_ : run_ < 8 ? 4 : run_ < 16 ? 5 : run_ < 32 ? 6 : 7;
  }

  std::size_t row_;
  bool flat_ = false;
  int value_ = 0, run_ = 0,
      reach_ = 0;             // pixels that were as foretold; equal ones to the right, above
  std::uint32_t differ_ = 0;  // which of those further away have another value
};

}  // namespace logpx::codec::adaptive
