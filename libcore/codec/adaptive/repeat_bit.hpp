// What the longest repeat says of the next bit, and where that comes from.
#pragma once

#include "libcore/codec/adaptive/logistic.hpp"
#include "libcore/codec/adaptive/past.hpp"

#include <cstdint>

namespace logpx::codec::adaptive {

template <typename Repeats>
class RepeatBit {
 public:
  explicit RepeatBit(std::size_t places) : repeats_(places) {}

  void next_byte(const Past& past, std::uint8_t byte) { repeats_.next_byte(past, byte); }
  [[nodiscard]] int foretell_nothing() {
    chance_ = unknown_chance;
    from_ = nullptr;
    return 0;
  }
  // 0 where no repeat foretells the bit; else a class of the repeat's length.
  [[nodiscard]] int foretell(const Past& past, unsigned whole, int bit_number) {
    const int expected = repeats_.expected(past, whole, bit_number);
    if (expected < 0) return foretell_nothing();
    from_ = &repeats_.chance(expected);
    chance_ = *from_;
    return repeats_.length_class();
  }
  [[nodiscard]] std::uint32_t chance() const { return chance_; }
  void learn(std::uint32_t learned) {
    if (from_ != nullptr) *from_ = learned;
  }

 private:
  Repeats repeats_;
  std::uint32_t* from_ = nullptr;
  std::uint32_t chance_ = unknown_chance;
};

}  // namespace logpx::codec::adaptive
