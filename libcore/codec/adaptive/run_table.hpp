// Runs: for contexts that have seen a single byte, this byte and how many times it came. Four share
// a bucket; a new one replaces the one that has seen least.
#pragma once

#include "libcore/codec/adaptive/room.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace logpx::codec::adaptive {

struct Run {
  std::uint8_t byte = 0, times = 0;
};

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

}  // namespace logpx::codec::adaptive
