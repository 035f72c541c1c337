// Contexts of DNA as letters, with lines and names between: how often each base followed the last
// ones, on either strand, and for all else the last bytes and the place in the line.
#pragma once

#include "libcore/codec/adaptive/base_counts.hpp"
#include "libcore/codec/adaptive/form.hpp"
#include "libcore/codec/adaptive/logistic.hpp"
#include "libcore/codec/adaptive/past.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <deque>

namespace logpx::codec::adaptive {

template <Level level>
class DnaContexts {
  static constexpr bool best = level == Level::best;
  static constexpr auto orders = [] {
    if constexpr (best)
      return std::array{1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16, 18, 20, 24};
    else return std::array{2, 3, 4, 6, 8, 11, 12, 16, 20};
  }();
  static constexpr int table_bits = best ? 22 : 20;
  // Each table has four places a byte of the block, but no more than it can use.
  static constexpr int bits_for(std::size_t size) {
    return std::min(table_bits, static_cast<int>(std::bit_width(4 * size)));
  }

 public:
  static constexpr int count = 6, first_seen = 0, last_seen = 6;
  static constexpr Level level_of = level;
  static constexpr int mixer_rate = 14, early_rate = 256;
  static constexpr std::size_t other_tables(std::size_t size) {
    std::size_t bytes = 0;
    for (const int order : orders) bytes += BaseCounts::bytes(order, bits_for(size));
    return bytes;
  }
  static constexpr int chances = static_cast<int>(orders.size());
  static constexpr int rows = 32 * 8;

  DnaContexts(const Form&, std::size_t size) {
    for (const int order : orders) counts_.emplace_back(order, bits_for(size));
    begin_byte();
  }

  void next_byte(const Past& past, std::uint8_t byte) {
    if (byte == '\n') {
      line_ = past.position - begin_;
      begin_ = past.position;
    }
    const unsigned base = base_of(byte);
    is_base_ = base < 4;
    if (is_base_) {
      const std::uint64_t before = bases_;
      bases_ = bases_ << 2 | base;
      others_ = others_ >> 2 | std::uint64_t{3 - base} << 62;
      for (BaseCounts& counts : counts_)
        counts.add(bases_, others_, base, before >> 2 * (counts.order() - 1) & 3);
      is_small_ = (byte & 32) != 0;
    }
    column_ = past.position - begin_;
    begin_byte();
  }

  void hashes(const Past& past, std::uint32_t* h) const {
    const std::uint64_t c1 = past.last(1), c4 = past.last4;
    const std::uint64_t place = std::uint64_t{is_base_} << 32 | ends_line();
    std::uint32_t n = 0;
    const auto add = [&](std::uint64_t value) { h[n] = hash_of(value, n), ++n; };
    add(place);
    add(c1 | place << 8);
    add(past.last(3));
    add(c4 | (past.before4 & 0xffffull) << 32);
    add(is_base_ ? bases_ & 0xfffff : c4);
    add(std::min<std::size_t>(column_, 1023) | std::uint64_t{is_base_} << 10);
  }
  // Shared out among the letters that begin as the byte does so far.
  [[nodiscard]] std::uint32_t chance(int way, unsigned whole, int bit_number) const {
    const auto& share = shares_[static_cast<std::size_t>(way)];
    std::uint32_t ones = 0, all = 0;
    for (unsigned base = 0; base < 4; ++base) {
      const unsigned letter = 256u | letters[base] | (is_small_ ? 32u : 0u);
      if (letter >> (8 - bit_number) != whole) continue;
      all += share[base];
      if ((letter >> (7 - bit_number) & 1) != 0) ones += share[base];
    }
    if (all == 0) return unknown_chance;
    constexpr std::uint64_t most = (1u << 22) - 64;
    return chance_of_count(static_cast<std::uint32_t>(std::clamp<std::uint64_t>(
                               (std::uint64_t{ones} << 22) / all, 64, most)),
                           fixed_count);
  }
  [[nodiscard]] int row(const Past&, unsigned, int bit_number) const {
    return sureness_ * 8 + bit_number;
  }
  [[nodiscard]] std::uint32_t narrow(const Past& past) const { return past.last(1); }
  [[nodiscard]] std::uint32_t wide(const Past&) const {
    return is_base_ ? static_cast<std::uint32_t>(bases_ & 0xffff) : 0x10000;
  }

 private:
  static constexpr std::array<unsigned, 4> letters = {'A', 'C', 'G', 'T'};

  static unsigned base_of(std::uint8_t byte) {
    switch (byte & ~0x20) {
      case 'A': return 0;
      case 'C': return 1;
      case 'G': return 2;
      case 'T': return 3;
      default: return 4;
    }
  }
  // What each order expects: counts, and a little for what has not come.
  void begin_byte() {
    for (std::size_t i = 0; i < orders.size(); ++i) {
      const BaseCounts::Counts counts = counts_[i].counts();
      const std::uint32_t little = orders[i] > 10 ? 1 : 8;
      for (std::size_t base = 0; base < 4; ++base) shares_[i][base] = 16 * counts[base] + little;
    }
    constexpr int no_base = 31;
    sureness_ =
        is_base_ ? sureness(orders.size() - 1) | sureness(orders.size() - 2) << 2 | ends_line() << 4
                 : no_base;
  }
  // Whether one base alone has followed, and how often: 0 none, 1 several.
  [[nodiscard]] int sureness(std::size_t way) const {
    const BaseCounts::Counts counts = counts_[way].counts();
    const std::uint32_t most = std::ranges::max(counts),
                        all = counts[0] + counts[1] + counts[2] + counts[3];
    return all == 0 ? 0 : most < all ? 1 : most < 4 ? 2 : 3;
  }
  [[nodiscard]] bool ends_line() const { return line_ > 0 && column_ + 1 == line_; }

  std::deque<BaseCounts> counts_;
  std::array<std::array<std::uint32_t, 4>, orders.size()> shares_;
  std::uint64_t bases_ = 0, others_ = ~std::uint64_t{0};
  std::size_t begin_ = 0, line_ = 0, column_ = 0;
  int sureness_ = 0;
  bool is_base_ = false, is_small_ = false;
};

}  // namespace logpx::codec::adaptive
