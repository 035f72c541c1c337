#include "libcore/base/rng.hpp"

#include "libcore/base/error.hpp"

#include <numeric>
#include <utility>

namespace logpx {

Words4 philox4x32_10(Words4 counter, std::array<std::uint32_t, 2> key) {
  constexpr std::uint64_t m0 = 0xD2511F53, m1 = 0xCD9E8D57;
  constexpr std::uint32_t w0 = 0x9E3779B9, w1 = 0xBB67AE85;
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = m0 * counter[0], p1 = m1 * counter[2];
    counter = {
        static_cast<std::uint32_t>(p1 >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(p1),
        static_cast<std::uint32_t>(p0 >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(p0)};
    key = {key[0] + w0, key[1] + w1};
  }
  return counter;
}

Words4 Substream::block(std::uint64_t index) const {
  return philox4x32_10(
      {static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32), sub_,
       static_cast<std::uint32_t>(stream_)},
      {static_cast<std::uint32_t>(seed_), static_cast<std::uint32_t>(seed_ >> 32)});
}

std::uint32_t Cursor::word() {
  if (used_ == 4) {
    words_ = substream_.block(next_block_++);
    used_ = 0;
  }
  return words_[used_++];
}

double Cursor::uniform53() {
  const std::uint32_t high = word();
  return uniform53_of(high, word());
}

std::uint32_t Cursor::below(std::uint32_t m) {
  LOGPX_ASSERT(m >= 1);
  const std::uint32_t threshold = (0u - m) % m;  // (2^32 - m) mod m
  while (true) {
    const std::uint64_t product = std::uint64_t{word()} * m;
    if (static_cast<std::uint32_t>(product) >= threshold)
      return static_cast<std::uint32_t>(product >> 32);
  }
}

std::vector<std::uint32_t> permutation(std::uint32_t n, Substream substream) {
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0u);
  Cursor cursor(substream);
  for (std::uint32_t i = n; i-- > 1;) std::swap(order[i], order[cursor.below(i + 1)]);
  return order;
}

}  // namespace logpx
