// Pixels among equal ones: whether the six nearest neighbours are equal, and contexts of whether
// the next pixel is equal to them, too, which is asked before its bits. They see where among these
// pixels it lies, and which of more distant ones are different.
#pragma once

#include "libcore/codec/adaptive/past.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace logpx::codec::adaptive {

// Pixels of so many bytes, which are compared as a whole.
template <std::size_t bytes>
class FlatPixels {
 public:
  static constexpr int rows = 64, other_rows = 64;

  explicit FlatPixels(std::size_t row) : row_(row) {}

  // The pixel that begins so many bytes before the next one.
  [[nodiscard]] static std::uint32_t pixel(const Past& past, std::size_t distance) {
    std::uint32_t value = 0;
    std::memcpy(&value, past.before(distance), bytes);
    return value;
  }

  // Looks around the pixel that comes next.
  void look(const Past& past) {
    const std::size_t r = row_;
    value_ = pixel(past, one);
    flat_ = true;
    for (const std::size_t distance : {r, r + one, r - one, 2 * one, 2 * r})
      flat_ = flat_ && pixel(past, distance) == value_;
    if (flat_) look_further(past);
  }
  // After a pixel, which was equal to those around it or not.
  void add(std::uint32_t added) { run_ = flat_ && added == value_ ? std::min(run_ + 1, 255) : 0; }

  [[nodiscard]] bool flat() const { return flat_; }
  // Contexts of pixels of one byte, by column and, if rasters have a known size, by row, too.
  void hashes(const Past& past, std::uint64_t x, std::uint64_t y, std::uint32_t* h,
              int count) const {
    const auto at = [&](std::size_t distance) { return pixel(past, distance); };
    const std::size_t r = row_;
    const std::uint32_t b = differ_;
    const int run = run_class();
    int i = 0;
    const auto add = [&](auto... values) { h[i] = hash_of_all(i, values...), ++i; };
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
  // Those of pixels of several bytes, of which what lies around says more than the place.
  static constexpr int few = 13;
  void few_hashes(const Past& past, std::uint32_t* h, int count) const {
    const auto at = [&](std::size_t distance) { return pixel(past, distance); };
    const std::size_t r = row_;
    const std::uint32_t b = differ_;
    const int run = run_class();
    int i = 0;
    const auto add = [&](auto... values) { h[i] = hash_of_all(i, values...), ++i; };
    add(b), add(b & 0xffff), add(b & 0x3ff, run), add(b & 63, reach_), add(reach_, run);
    add(at(r - 2 * one), at(2 * r - one), value_), add(b & 15, run_), add(value_, b & 255);
    add(at(r - 2 * one), at(r - 3 * one), at(2 * r - 2 * one)), add(b >> 12);
    add(at(r + 2 * one), at(2 * r + one), at(3 * one)), add(value_, run), add(0, b & 0x491311);
    for (int more = 4; i < count; ++more) add(b & ((2u << more) - 1), more);
  }
  [[nodiscard]] int row() const { return std::min(rows - 1, 4 * reach_ + std::min(run_, 3)); }
  [[nodiscard]] int other_row() const { return static_cast<int>(differ_ & (other_rows - 1)); }

 private:
  static constexpr int most_reach = 15;
  static constexpr std::size_t one = bytes;  // pixel

  static std::uint32_t hash_of_all(int i, auto... values) {
    std::uint64_t all = 0;
    ((all = all * 0x9E3779B97F4A7C15u + static_cast<std::uint64_t>(values) + 1), ...);
    return hash_of(all, static_cast<std::uint32_t>(i) + 100);
  }

  void look_further(const Past& past) {
    const std::size_t r = row_;
    const std::array further = {r - 2 * one,     2 * r - one,     2 * r + one,     r + 2 * one,
                                2 * r - 2 * one, 2 * r + 2 * one, 3 * r,           3 * one,
                                r - 3 * one,     3 * r - one,     3 * r + one,     r + 3 * one,
                                2 * r - 3 * one, 2 * r + 3 * one, 3 * r - 2 * one, 3 * r + 2 * one,
                                r - 4 * one,     3 * r + 3 * one, 4 * one,         r + 4 * one,
                                3 * r - 3 * one, 2 * r - 4 * one, r - 5 * one,     2 * r + 4 * one};
    differ_ = 0;
    for (std::size_t i = 0; i < further.size(); ++i)
      differ_ |= std::uint32_t{pixel(past, further[i]) != value_} << i;
    reach_ = 0;
    for (std::size_t d = 2 * one; reach_ < most_reach && d < r && pixel(past, r - d) == value_;
         d += one)
      ++reach_;
  }
  [[nodiscard]] int run_class() const {
    return run_ < 4 ? run_ : run_ < 8 ? 4 : run_ < 16 ? 5 : run_ < 32 ? 6 : 7;
  }

  std::size_t row_;
  bool flat_ = false;
  std::uint32_t value_ = 0;
  int run_ = 0, reach_ = 0;   // pixels that were as foretold; equal ones to the right, above
  std::uint32_t differ_ = 0;  // which of those further away have another value
};

}  // namespace logpx::codec::adaptive
