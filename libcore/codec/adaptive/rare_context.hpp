// A context most of whose values come once. While one byte alone has followed a value, it is kept
// as a run, in four bytes; when another byte comes, it gets trees in a table of histories.
#pragma once

#include "libcore/codec/adaptive/bit_history.hpp"
#include "libcore/codec/adaptive/past.hpp"
#include "libcore/codec/adaptive/run_table.hpp"

#include <algorithm>
#include <cstdint>

namespace logpx::codec::adaptive {

class RareContext {
 public:
  // The histories of the first half of a byte; and those of the second, when the first is known:
  // `whole` is a 1, then its bits.
  template <typename Table>
  [[nodiscard]] std::uint8_t* first(Table& table, const RunTable& runs, std::uint32_t hash) {
    std::uint8_t* const tree = table.look(hash, first_sign);
    has_trees_ = tree != nullptr;
    if (has_trees_) return tree;
    hash_ = hash;
    run_ = runs.look(hash);
    return grow(first_, run_.byte >> 4, run_.times);
  }
  template <typename Table>
  [[nodiscard]] std::uint8_t* second(Table& table, std::uint32_t hash, unsigned whole) {
    if (has_trees_) return table.find(hash, whole & 1);
    second_hash_ = hash;
    const bool goes_on = (whole & 15) == run_.byte >> 4;
    return grow(second_, run_.byte & 15, goes_on ? run_.times : 0);
  }
  [[nodiscard]] bool has_trees() const { return has_trees_; }

  // Called when the trees that were handed out have learned the byte.
  template <typename Table>
  void end_byte(Table& table, RunTable& runs, std::uint8_t byte) {
    if (has_trees_) return;
    if (run_.times == 0) return runs.put(hash_, {byte, 1});
    if (run_.byte == byte) {
      if (run_.times < longest_run)
        runs.put(hash_, {byte, static_cast<std::uint8_t>(run_.times + 1)});
      return;
    }
    runs.forget(hash_);
    table.put(hash_, first_sign, first_);
    table.put(second_hash_, byte >> 4 & 1, second_);
    if ((run_.byte ^ byte) >> 4 == 0) return;
    const std::uint32_t hash = hash_of_half(hash_, 8 | run_.byte >> 5);
    table.put(hash, run_.byte >> 4 & 1, grow(second_, run_.byte & 15, run_.times));
  }

 private:
  static constexpr unsigned first_sign = 1;

  // The tree that so many repeats of a half byte leave.
  static std::uint8_t* grow(std::uint8_t* tree, int half, int times) {
    std::fill_n(tree, 16, std::uint8_t{0});
    unsigned node = 1;
    for (int shift = 3; shift >= 0; --shift) {
      const unsigned bit = static_cast<unsigned>(half) >> shift & 1;
      tree[node] = bit_histories.run.data()[bit].data()[times];
      node = 2 * node + bit;
    }
    return tree;
  }

  std::uint8_t first_[16], second_[16];
  std::uint32_t hash_ = 0, second_hash_ = 0;
  Run run_;
  bool has_trees_ = true;
};

}  // namespace logpx::codec::adaptive
