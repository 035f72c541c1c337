// The histories of the next bit in `count` contexts, and the chance that each history has come to
// mean there. Contexts from `first_rare` on are kept as runs while they can be.
#pragma once

#include "libcore/codec/adaptive/bit_history.hpp"
#include "libcore/codec/adaptive/history_table.hpp"
#include "libcore/codec/adaptive/logistic.hpp"
#include "libcore/codec/adaptive/past.hpp"
#include "libcore/codec/adaptive/rare_context.hpp"
#include "libcore/codec/adaptive/room.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace logpx::codec::adaptive {

template <int count, int first_rare, typename Table = HistoryTable>
class Histories {
 public:
  explicit Histories(const Sizes& sizes) : table_(sizes.lines), runs_(sizes.buckets) {
    for (auto& map : maps_) {
      for (std::size_t h = 0; h < 256; ++h)
        map[h] = chance_of_count(bit_histories.chance.data()[h], first_count);
      map[0] = unknown_chance;
    }
  }

  // As the other is once find() has found what the first half byte needs.
  Histories(const Histories& other) : table_(other.table_), runs_(other.runs_), rare_(other.rare_) {
    std::memcpy(maps_, other.maps_, sizeof maps_);
    std::ranges::copy(other.of_byte_, of_byte_);
    for (int i = 0; i < count; ++i)
      trees_[i] = i >= first_rare && !rare(i).has_trees()
                      ? rare(i).first_grown()
                      : table_.same_place(other.table_, other.trees_[i]);
  }

  // To be filled with a hash for each context before a byte begins.
  [[nodiscard]] std::uint32_t* hashes() { return of_byte_; }
  // Prefetches what the next half byte needs: the first, or the second when three bits of the first
  // are known; its line is the same for both values of the fourth.
  void prefetch_first() {
    for (int i = 0; i < count; ++i) table_.prefetch(of_half_[i] = of_byte_[i]);
    for (int i = first_rare; i < count; ++i) runs_.prefetch(of_byte_[i]);
  }
  void prefetch_second(unsigned three_bits) {
    for (int i = 0; i < count; ++i) {
      of_half_[i] = hash_of_half(of_byte_[i], three_bits);
      if (i < first_rare || rare(i).has_trees()) table_.prefetch(of_half_[i]);
    }
  }
  // `whole`: a 1, then the bits of this byte so far.
  void find(unsigned whole) {
    for (int i = 0; i < first_rare; ++i) trees_[i] = table_.find(of_half_[i], whole & 1);
    for (int i = first_rare; i < count; ++i)
      trees_[i] = whole == 1 ? rare(i).first(table_, runs_, of_half_[i])
                             : rare(i).second(table_, of_half_[i], whole);
  }
  // Called when the last bit of a byte has been learned.
  void end_byte(const Past& past) {
    const auto byte = static_cast<std::uint8_t>(past.last(1));
    for (int i = first_rare; i < count; ++i) rare(i).end_byte(table_, runs_, byte);
  }

  // The chance that history `i` of `node` gives.
  [[nodiscard]] std::uint32_t predict(int i, unsigned node) {
    return maps_[i][seen_[i] = trees_[i][node]];
  }
  // How many of the contexts first .. last - 1 have seen the node before.
  template <int first, int last>
  [[nodiscard]] int known() const {
    int sum = 0;
#pragma GCC unroll 32
    for (int i = first; i < last; ++i) sum += seen_[i] != 0;
    return sum;
  }
  // `chances` are those of predict(), which have learned the bit.
  void learn(unsigned node, int bit, const std::uint32_t* chances) {
    const std::uint8_t* const next = bit_histories.next.data()[bit].data();
#pragma GCC unroll 32
    for (int i = 0; i < count; ++i) {
      const std::uint8_t history = seen_[i];
      maps_[i][history] = chances[i];
      trees_[i][node] = next[history];
    }
  }

 private:
  static constexpr std::uint32_t first_count = 4;

  RareContext& rare(int i) { return rare_.data()[i - first_rare]; }

  Table table_;
  RunTable runs_;
  std::array<RareContext, count - first_rare> rare_;
  std::uint32_t maps_[count][256];
  std::uint32_t of_byte_[count], of_half_[count];
  std::uint8_t* trees_[count];
  std::uint8_t seen_[count];
};

}  // namespace logpx::codec::adaptive
