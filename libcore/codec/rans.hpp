// The stack that everything is coded into: rANS states over one stack of 32-bit words. What was
// pushed last is popped first; pop undoes push and push undoes pop, exactly.
// [ANS; codec/README 2]
//
//   Message message(1);                                   // encode
//   message.push({start, frequency}, 24);
//   std::vector<std::byte> bytes = message.serialise();   // and message.borrowed()
//
//   Message received = Message::parse(bytes, 1);          // decode
//   const Slot slot = slot_of(table, table.find(received.peek(24)));
//   received.pop(slot, 24);
//   received.check_end(borrowed);
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace logpx::codec {

// The part [start, start + frequency) of 2^precision that belongs to a symbol.
struct Slot {
  std::uint32_t start = 0, frequency = 0;
};

constexpr int most_lanes = 8, most_precision = 28;
constexpr std::uint32_t most_borrowed = 1u << 24;

// What a decoder says about bytes that no encoder made: "corrupt data: ...".
[[noreturn]] void corrupt(const std::string& what);

// Word number i below the bottom of an encoder's stack.   [codec/README 2.4]
[[nodiscard]] std::uint32_t seed_word(std::uint32_t i);

class Message {
 public:
  // Every state lies in [lowest, lowest * 2^32).
  static constexpr std::uint64_t lowest = std::uint64_t{1} << 31;

  // Empty, for an encoder: popping below its bottom yields seed words. lanes: 1, 2, 4 or 8.
  explicit Message(int lanes = 1);
  // For a decoder: popping below the bottom is a data error, as is every impossible step.
  static Message parse(std::span<const std::byte> bytes, int lanes);

  // lanes x u64, u32 count of words, words from the bottom up, little-endian.
  [[nodiscard]] std::vector<std::byte> serialise() const;
  [[nodiscard]] std::size_t serialised_bytes() const;

  // All lanes at their start and nothing left but the seed words that the encoder had borrowed.
  void check_end(std::uint32_t borrowed) const;

  void push(Slot slot, int precision, int lane = 0) {
    if (!valid(slot, precision)) refuse(slot, precision);
    if (slot.frequency >> precision) return;
    std::uint64_t& x = states_[at(lane)];
    const std::uint64_t f = slot.frequency;
    if (x >= f << (63 - precision)) x = spill(x);
    x = ((x / f) << precision) + x % f + slot.start;
  }
  [[nodiscard]] std::uint32_t peek(int precision, int lane = 0) const {
    return static_cast<std::uint32_t>(states_[at(lane)]) & ((1u << precision) - 1);
  }
  // `slot` holds peek(precision).
  void pop(Slot slot, int precision, int lane = 0) {
    const std::uint32_t offset = peek(precision, lane) - slot.start;
    if (!valid(slot, precision) || offset >= slot.frequency) refuse(slot, precision);
    std::uint64_t& x = states_[at(lane)];
    x = slot.frequency * (x >> precision) + offset;
    if (x < lowest) x = refill(x);
  }

  // One of m equally likely values, 1 <= m < 2^31, without bias and without waste: the state is
  // folded to a range that m divides, so that an encoder may pop a word here and a decoder push.
  void push_uniform(std::uint32_t symbol, std::uint32_t m, int lane = 0);
  [[nodiscard]] std::uint32_t pop_uniform(std::uint32_t m, int lane = 0);

  // The same for m = 2^bits, 0 <= bits <= 28.
  void push_bits(std::uint32_t symbol, int bits, int lane = 0) { push({symbol, 1}, bits, lane); }
  [[nodiscard]] std::uint32_t pop_bits(int bits, int lane = 0) {
    const std::uint32_t symbol = peek(bits, lane);
    pop({symbol, 1}, bits, lane);
    return symbol;
  }

  // Permutes the low bits of a state that a pop of this precision reads, and undoes it. They tell
  // where in its slot an earlier push left the state: unless they are stirred in between, what is
  // drawn follows what was pushed. To stir more bits would cost some, as states are even in their
  // logarithm.   [codec/README 2.5]
  void stir(int precision, int lane = 0);
  void unstir(int precision, int lane = 0);

  [[nodiscard]] int lanes() const { return lanes_; }
  [[nodiscard]] std::uint32_t borrowed() const { return borrowed_; }
  [[nodiscard]] std::uint64_t state(int lane = 0) const { return states_[at(lane)]; }
  [[nodiscard]] const std::vector<std::uint32_t>& words() const { return words_; }
  // Information held, with fractions: how much a step added is a difference of two looks. Seed
  // words that were borrowed count below zero.
  [[nodiscard]] double bits() const;

  friend bool operator==(const Message&, const Message&) = default;

 private:
  enum class Side { encoder, decoder };

  static std::size_t at(int lane) { return static_cast<std::size_t>(lane); }
  static bool valid(Slot slot, int precision) {
    const std::uint32_t total = 1u << precision;
    return slot.frequency > 0 && slot.start < total && slot.frequency <= total - slot.start;
  }
  [[noreturn]] void refuse(Slot slot, int precision) const;
  [[nodiscard]] std::uint64_t spill(std::uint64_t x) {
    words_.push_back(static_cast<std::uint32_t>(x));
    return x >> 32;
  }
  [[nodiscard]] std::uint64_t refill(std::uint64_t x) {
    if (words_.empty()) return (x << 32) | borrow();
    const std::uint32_t word = words_.back();
    words_.pop_back();
    return (x << 32) | word;
  }
  [[nodiscard]] std::uint32_t borrow();

  std::array<std::uint64_t, most_lanes> states_{};
  std::vector<std::uint32_t> words_;
  std::uint32_t borrowed_ = 0;
  int lanes_ = 1;
  Side side_ = Side::encoder;
};

}  // namespace logpx::codec
