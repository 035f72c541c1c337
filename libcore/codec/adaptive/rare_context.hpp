// A context most of whose values come once. While one byte alone has followed a value, it is kept
// as a run, in four bytes; when another byte comes, it gets trees in a table of histories.
#pragma once

#include "libcore/codec/adaptive/bit_history.hpp"
#include "libcore/codec/adaptive/past.hpp"
#include "libcore/codec/adaptive/room.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace logpx::codec::adaptive {

// Where a single byte has come: that byte, and how many times.
struct Run {
  std::uint8_t byte = 0, times = 0;
};

// Four runs share a bucket; a new one replaces the one that has seen least.
class RunTable {
 public:
  static constexpr std::size_t bucket_bytes = 16;

  explicit RunTable(std::size_t buckets) : buckets_(buckets), room_(buckets * bucket_bytes) {}

  void prefetch(std::uint32_t hash) const { __builtin_prefetch(bucket(hash), 1); }

  // Its `times` is 0 where there is none.
  [[nodiscard]] Run look(std::uint32_t hash) const {
    const Bucket* const at = bucket(hash);
    const unsigned i = at->find(check_of(hash));
    return i < 4 ? at->runs[i] : Run{};
  }
  // Sets the run of a context.
  void put(std::uint32_t hash, Run run) {
    Bucket* const at = bucket(hash);
    unsigned i = at->find(check_of(hash));
    if (i == 4) i = at->least();
    at->checks[i] = check_of(hash);
    at->runs[i] = run;
  }
  void forget(std::uint32_t hash) {
    Bucket* const at = bucket(hash);
    const unsigned i = at->find(check_of(hash));
    if (i == 4) return;
    at->checks[i] = 0;
    at->runs[i] = {};
  }

 private:
  struct Bucket {
    std::uint16_t checks[4];  // low halves of the contexts' hashes; 0: free
    Run runs[4];

    [[nodiscard]] unsigned find(std::uint16_t check) const {
      std::uint64_t all;
      std::memcpy(&all, checks, sizeof all);
      const std::uint64_t ones = 0x0001000100010001u, differ = all ^ (check * ones);
      const std::uint64_t equal = (differ - ones) & ~differ & (ones << 15);
      return static_cast<unsigned>(std::countr_zero(equal)) >> 4;
    }
    [[nodiscard]] unsigned least() const {
      unsigned least = 4u * runs[0].times;
      for (unsigned i = 1; i < 4; ++i) least = std::min(least, 4u * runs[i].times + i);
      return least & 3;
    }
  };
  static_assert(sizeof(Bucket) == bucket_bytes);

  static std::uint16_t check_of(std::uint32_t hash) { return static_cast<std::uint16_t>(hash | 1); }
  [[nodiscard]] Bucket* bucket(std::uint32_t hash) const {
    return reinterpret_cast<Bucket*>(room_.data()) + (std::uint64_t{hash} * buckets_ >> 32);
  }

  std::uint64_t buckets_;
  Room room_;
};

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
  // What first() has made of a run.
  [[nodiscard]] std::uint8_t* first_grown() { return first_; }

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
