// The histories of the next bit in `count` contexts, and what each of them has come to mean there.
#pragma once

#include "libcore/codec/adaptive/history_map.hpp"
#include "libcore/codec/adaptive/history_table.hpp"
#include "libcore/codec/adaptive/logistic.hpp"
#include "libcore/codec/adaptive/past.hpp"

#include <array>

namespace logpx::codec::adaptive {

template <int count>
class Histories {
 public:
  explicit Histories(std::size_t lines) : table_(lines) {}

  // To be filled with a hash for each context before a byte begins.
  [[nodiscard]] std::uint32_t* hashes() { return of_byte_; }
  // Brings near what the next half byte needs; `whole`: 1, and the bits of this byte behind it.
  void prefetch(unsigned whole) {
    for (int i = 0; i < count; ++i) {
      of_half_[i] = whole == 1 ? of_byte_[i] : hash_of_half(of_byte_[i], whole);
      table_.prefetch(of_half_[i]);
    }
  }
  void find() {
    for (int i = 0; i < count; ++i) trees_[i] = table_.find(of_half_[i]);
  }

  // What each history of `node` says: logits from x[0] on, and chances less one half from x[count]
  // on; 0 for what has seen nothing. How many of those from `first` to before `last` have seen
  // something.
  template <int first, int last>
  [[nodiscard]] int predict(unsigned node, std::int16_t* x) {
    int known = 0;
    for (int i = 0; i < count; ++i) {
      const std::uint8_t history = seen_[i] = trees_[i][node];
      const int chance = maps_[static_cast<std::size_t>(i)].chance(history);
      x[i] = static_cast<std::int16_t>(history == 0 ? 0 : logit_of(chance));
      x[count + i] = static_cast<std::int16_t>(history == 0 ? 0 : above_half(chance));
      if (i >= first && i < last) known += history != 0;
    }
    return known;
  }
  void learn(unsigned node, int bit) {
    const auto& next = bit_histories.next[static_cast<std::size_t>(bit)];
    for (int i = 0; i < count; ++i) {
      const std::uint8_t history = seen_[i];
      if (history != 0) maps_[static_cast<std::size_t>(i)].learn(history, bit);
      trees_[i][node] = next[history];
    }
  }

 private:
  HistoryTable table_;
  std::array<HistoryMap, count> maps_;
  std::uint32_t of_byte_[count], of_half_[count];
  std::uint8_t* trees_[count];
  std::uint8_t seen_[count];
};

}  // namespace logpx::codec::adaptive
