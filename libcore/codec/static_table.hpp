// Bytes under one fixed table, fast: reciprocals instead of divisions, a slot table instead of a
// search. Gives the same message as push_vector and pop_vector. [codec/README 3.6]
#pragma once

#include "libcore/codec/tables.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx::codec {

class StaticTable {
 public:
  // At most 256 symbols, precision at most 16.
  explicit StaticTable(const Table& table);

  // A data error for a symbol that the table gives no part.
  void push(Message& message, std::span<const std::uint8_t> symbols) const;
  void pop(Message& message, std::span<std::uint8_t> symbols) const;

 private:
  // x div f for x < 2^63, as the high word of a product, then a shift (Alverson). With it
  // ((x div f) << r) + x mod f + start is x + bias + (x div f) * rest.
  struct Encoded {
    std::uint64_t limit;  // states from here on give up a word first
    std::uint64_t reciprocal;
    std::uint32_t bias, rest, shift;
    std::uint32_t frequency;
  };
  struct Decoded {
    std::uint16_t frequency_less_one, offset;
  };
  template <int lanes>
  void push_lanes(Message& message, std::span<const std::uint8_t> symbols) const;
  template <int lanes>
  std::size_t pop_lanes(Message& message, std::span<std::uint8_t> symbols) const;

  Table table_;
  std::vector<Encoded> encoded_;      // [256]
  std::vector<Decoded> decoded_;      // [2^precision]
  std::vector<std::uint8_t> symbol_;  // [2^precision]
};

}  // namespace logpx::codec
