// Decisions to bytes and back: each bit in the context that comes with it, by how often it was a
// one there. Whole numbers alone. [codec/README 5.4]
//
//   DecisionEncoder encoder(contexts);
//   encoder.code(1, 7);
//   const std::vector<std::byte> bytes = encoder.finish();
//   DecisionDecoder decoder(contexts, bytes);
//   const int bit = decoder.code(7);   // 1
#pragma once

#include "libcore/codec/adaptive/bit_coder.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace logpx::codec {

// The chance of a one in a context: 1/8 at first, then the mean of what was seen, which in the end
// follows the last thousand bits.
class DecisionChance {
 public:
  [[nodiscard]] std::uint32_t chance() const {  // of 2^16
    const std::uint32_t chance = value_ >> 6;
    return chance == 0 ? 1 : chance;
  }
  void learn(int bit) {
    const std::uint32_t rate = 2 * seen_ + 3;
    if (bit != 0) value_ += 2 * (one - value_) / rate;
    else value_ -= 2 * value_ / rate;
    if (seen_ < most_seen) ++seen_;
  }

 private:
  static constexpr std::uint32_t one = (1u << 22) - 1, most_seen = 1000;
  std::uint32_t value_ = 1u << 19, seen_ = 1;
};

class DecisionEncoder {
 public:
  explicit DecisionEncoder(std::size_t contexts) : chances_(contexts) {}

  void code(int bit, std::size_t context) {
    encoder_.code(bit, chances_[context].chance());
    chances_[context].learn(bit);
  }
  [[nodiscard]] std::size_t bytes() const { return encoder_.bytes(); }
  [[nodiscard]] std::vector<std::byte> finish() { return encoder_.finish(); }

 private:
  std::vector<DecisionChance> chances_;
  adaptive::BitEncoder encoder_;
};

class DecisionDecoder {
 public:
  // The bytes must stay where they are.
  DecisionDecoder(std::size_t contexts, std::span<const std::byte> bytes)
      : chances_(contexts), decoder_(bytes) {}

  [[nodiscard]] int code(std::size_t context) {
    const int bit = decoder_.code(chances_[context].chance());
    chances_[context].learn(bit);
    return bit;
  }

 private:
  std::vector<DecisionChance> chances_;
  adaptive::BitDecoder decoder_;
};

}  // namespace logpx::codec
