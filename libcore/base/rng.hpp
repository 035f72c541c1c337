// Counter-based randomness: Philox4x32-10, addressed by (seed, stream, sub, index), so that a draw
// depends on what it is for and never on who asked first.   [det/README 6.1]
//
//   key     = (seed & 0xffffffff, seed >> 32)
//   counter = (block & 0xffffffff, block >> 32, sub, stream)  ->  4 words per block
//
// What needs a logarithm or a cosine (normal, Gumbel, exponential) is in det/draws.hpp.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace logpx {

using Words4 = std::array<std::uint32_t, 4>;

[[nodiscard]] Words4 philox4x32_10(Words4 counter, std::array<std::uint32_t, 2> key);

// Streams are named in code and numbered in files; a number never changes its meaning.
enum class Stream : std::uint32_t {
  test = 0,
  init = 1,
  shuffle = 2,
  noise = 3,
  binarise = 4,
  dequantise = 5,
  augmentation = 6,
  dropout = 7,
  wake_eps = 8,
  sleep_z = 9,
  sleep_x = 10,
  hmc_momentum = 11,
  hmc_accept = 12,
  order = 13,
  time = 14,
  prior_samples = 15,
  sample_model = 16,
  evaluation = 17,
  synthetic = 18,
  ais = 19,
  resample = 20,
  langevin = 21,
  langevin_accept = 22,
  swap = 23,
  qmc = 24,
  recon = 25,
  structure = 26,
  perturb = 27,
  subsets = 28,
  features = 29,
  labels = 30,
  first_for_tests = 1000,
};

// u = ((w >> 8) + 0.5) * 2^-24, in (0, 1).
[[nodiscard]] constexpr double uniform_of(std::uint32_t word) {
  return (static_cast<double>(word >> 8) + 0.5) * 0x1p-24;
}

// u = (k + 0.5) * 2^-53 with k the top 53 bits of high:low; where 24 bits would show.
[[nodiscard]] constexpr double uniform53_of(std::uint32_t high, std::uint32_t low) {
  const std::uint64_t k = ((std::uint64_t{high} << 32) | low) >> 11;
  return (static_cast<double>(k) + 0.5) * 0x1p-53;
}

// One named substream: words by position, in any order, from any thread.
class Substream {
 public:
  Substream(std::uint64_t seed, Stream stream, std::uint32_t sub)
      : seed_(seed), stream_(stream), sub_(sub) {}

  [[nodiscard]] Words4 block(std::uint64_t index) const;
  [[nodiscard]] std::uint32_t word(std::uint64_t element) const {
    return block(element / 4)[element % 4];
  }
  [[nodiscard]] double uniform(std::uint64_t element) const { return uniform_of(word(element)); }

 private:
  std::uint64_t seed_;
  Stream stream_;
  std::uint32_t sub_;
};

// Reads a substream word after word from a block onwards; a block is computed once.
class Cursor {
 public:
  explicit Cursor(Substream substream, std::uint64_t first_block = 0)
      : substream_(substream), next_block_(first_block) {}

  [[nodiscard]] std::uint32_t word();
  [[nodiscard]] double uniform() { return uniform_of(word()); }
  [[nodiscard]] double uniform53();
  // Uniform below m (m >= 1) without bias: one word per try.
  [[nodiscard]] std::uint32_t below(std::uint32_t m);
  // Blocks begun so far, counted from block 0: a guard against running into a neighbour's range.
  [[nodiscard]] std::uint64_t blocks_end() const { return next_block_; }

 private:
  Substream substream_;
  std::uint64_t next_block_;
  Words4 words_{};
  unsigned used_ = 4;
};

class Rng {
 public:
  explicit Rng(std::uint64_t seed) : seed_(seed) {}
  [[nodiscard]] std::uint64_t seed() const { return seed_; }
  [[nodiscard]] Substream stream(Stream stream, std::uint32_t sub = 0) const {
    return {seed_, stream, sub};
  }

 private:
  std::uint64_t seed_;
};

// Fisher-Yates from the end: i = n-1..1, j = below(i+1), words in order from block 0.
[[nodiscard]] std::vector<std::uint32_t> permutation(std::uint32_t n, Substream substream);

}  // namespace logpx
