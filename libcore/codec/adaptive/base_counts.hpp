// What followed the last bases of a strand of DNA before, and what stood on the other strand in
// front of them: there the bases are complements, and come backwards.
#pragma once

#include "libcore/codec/adaptive/room.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace logpx::codec::adaptive {

// Bases are 0 to 3 for A, C, G, T, so that 3 less a base is its complement. The newest of a word is
// in its lowest bits.
class BaseCounts {
 public:
  using Counts = std::array<std::uint32_t, 4>;

  // Words of `order` bases, at most 32, in at most 2^bits places.
  BaseCounts(int order, int bits)
      : order_(order),
        bits_(std::min(2 * order, bits)),
        room_(bytes(order, bits)),
        places_(reinterpret_cast<std::uint16_t*>(room_.data())) {}

  static constexpr std::size_t bytes(int order, int bits) {
    return sizeof(std::uint16_t) << std::min(2 * order, bits);
  }

  [[nodiscard]] Counts counts() const {
    const unsigned all = places_[place_];
    return {all & 15, all >> 4 & 15, all >> 8 & 15, all >> 12};
  }
  // `bases` and `others` end with the newest base: the last 32 of this strand, the newest lowest,
  // and their complements, the newest highest. `oldest`: the base that is order_ places before it.
  void add(std::uint64_t bases, std::uint64_t others, unsigned base, unsigned oldest) {
    count(places_[place_], base);
    place_ = place_of(bases & mask());
    __builtin_prefetch(places_ + place_);
    count(places_[place_of(others >> (64 - 2 * order_))], 3 - oldest);
  }
  [[nodiscard]] int order() const { return order_; }

 private:
  [[nodiscard]] std::uint64_t mask() const { return ~std::uint64_t{0} >> (64 - 2 * order_); }
  [[nodiscard]] std::size_t place_of(std::uint64_t word) const {
    if (2 * order_ <= bits_) return word;
    return static_cast<std::size_t>(word * 0x9E3779B97F4A7C15u >> (64 - bits_));
  }
  // Four counts of four bits. Long words are followed by what came last: other counts are halved.
  void count(std::uint16_t& place, unsigned base) const {
    unsigned all = place;
    const unsigned shift = 4 * base, seen = all >> shift & 15;
    if (seen == 15) all = (all >> 1 & 0x7777) | 8u << shift;
    else all += 1u << shift;
    place = static_cast<std::uint16_t>(all);
    if (order_ <= longest_steady) return;
    const unsigned others = all & ~(15u << shift);
    place = static_cast<std::uint16_t>((all & 15u << shift) | (others >> 1 & 0x7777));
  }

  static constexpr int longest_steady = 11;

  int order_, bits_;
  Room room_;
  std::uint16_t* places_;
  std::size_t place_ = 0;
};

}  // namespace logpx::codec::adaptive
