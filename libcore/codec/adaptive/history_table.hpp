// Histories of bits by the hash of a context.
#pragma once

#include "libcore/codec/adaptive/room.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace logpx::codec::adaptive {

// A hash table of histories: for each context and half byte fifteen, the nodes of a tree of four
// bits. Four such trees share a cache line, with a check byte each; a context that finds no tree
// with its check replaces the one that has seen least.
class HistoryTable {
 public:
  static constexpr std::size_t line_bytes = 64;

  explicit HistoryTable(std::size_t lines) : lines_(lines), room_(lines * line_bytes) {}

  void prefetch(std::uint32_t hash) const { __builtin_prefetch(line(hash), 1); }

  // The histories of nodes 1 to 15 stand behind this pointer; node 0 is not there. Trees of one
  // hash with different signs share a line.
  [[nodiscard]] std::uint8_t* find(std::uint32_t hash, unsigned sign) {
    std::uint8_t* const tree = look(hash, sign);
    return tree != nullptr ? tree : renew(line(hash), check_of(hash, sign));
  }
  // Null where there are none.
  [[nodiscard]] std::uint8_t* look(std::uint32_t hash, unsigned sign) const {
    std::uint8_t* const at = line(hash);
    const std::uint8_t check = check_of(hash, sign);
    std::uint32_t checks;
    std::memcpy(&checks, at, sizeof checks);
    const std::uint32_t differ = checks ^ (check * 0x01010101u);
    const std::uint32_t equal = (differ - 0x01010101u) & ~differ & 0x80808080u;
    return equal != 0 ? trees(at, static_cast<unsigned>(std::countr_zero(equal)) >> 3) : nullptr;
  }
  // In a copy: where the original has that tree.
  [[nodiscard]] std::uint8_t* same_place(const HistoryTable& original,
                                         const std::uint8_t* tree) const {
    return room_.data() + (tree - original.room_.data());
  }
  // Histories of nodes 1 to 15 that have grown elsewhere.
  void put(std::uint32_t hash, unsigned sign, const std::uint8_t* tree) {
    std::copy_n(tree + 1, 15, find(hash, sign) + 1);
  }

 private:
  static std::uint8_t check_of(std::uint32_t hash, unsigned sign) {
    return static_cast<std::uint8_t>(hash + sign);
  }
  [[nodiscard]] std::uint8_t* line(std::uint32_t hash) const {
    return room_.data() + (std::uint64_t{hash} * lines_ >> 32) * line_bytes;
  }
  static std::uint8_t* trees(std::uint8_t* line, unsigned which) { return line + 3 + 15 * which; }
  static std::uint8_t* renew(std::uint8_t* line, std::uint8_t check) {
    // The first of those that have seen least. No branches: they could not be predicted.
    unsigned least = 4u * trees(line, 0)[1];
    for (unsigned i = 1; i < 4; ++i) least = std::min(least, 4u * trees(line, i)[1] + i);
    least &= 3;
    line[least] = check;
    std::memset(trees(line, least) + 1, 0, 15);
    return trees(line, least);
  }

  std::uint64_t lines_;
  Room room_;
};

}  // namespace logpx::codec::adaptive
