#include "libcore/base/rng.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

namespace logpx::rng_test {

TEST_CASE("rng: a cursor reads the same words that the address gives") {
  const Substream substream = Rng(7).stream(Stream::test, 3);
  Cursor cursor(substream, 5);
  for (std::uint64_t i = 0; i < 11; ++i) CHECK(cursor.word() == substream.word(5 * 4 + i));
  CHECK(cursor.blocks_end() == 8);
}

TEST_CASE("rng: seed, stream and sub each change the words") {
  const std::uint32_t word = Rng(1).stream(Stream::noise, 0).word(0);
  CHECK(Rng(2).stream(Stream::noise, 0).word(0) != word);
  CHECK(Rng(1).stream(Stream::order, 0).word(0) != word);
  CHECK(Rng(1).stream(Stream::noise, 1).word(0) != word);
  CHECK(Rng(1 + (std::uint64_t{1} << 32)).stream(Stream::noise, 0).word(0) != word);
}

TEST_CASE("rng: uniforms lie strictly inside (0, 1)") {
  CHECK(uniform_of(0) > 0);
  CHECK(uniform_of(0xffffffffu) < 1);
  CHECK(uniform53_of(0, 0) > 0);
  CHECK(uniform53_of(0xffffffffu, 0xffffffffu) <= 1 - 0x1p-54);
}

TEST_CASE("rng: below covers its range evenly") {
  // Chi-square with 6 degrees of freedom; false alarm below 1e-5 for a seed not chosen: 33.1.
  Cursor cursor(Rng(1).stream(Stream::test));
  std::vector<int> counts(7);
  for (int i = 0; i < 70000; ++i) ++counts[cursor.below(7)];
  double chi = 0;
  for (const int count : counts) chi += (count - 10000.0) * (count - 10000.0) / 10000.0;
  CHECK(chi < 33.1);
  CHECK(cursor.below(1) == 0);
}

TEST_CASE("rng: a permutation holds every number once and depends on its epoch") {
  const auto first = permutation(100, Rng(1).stream(Stream::shuffle, 0));
  const auto second = permutation(100, Rng(1).stream(Stream::shuffle, 1));
  CHECK(first != second);
  auto sorted = first;
  std::sort(sorted.begin(), sorted.end());
  for (std::uint32_t i = 0; i < 100; ++i) CHECK(sorted[i] == i);
  CHECK(permutation(0, Rng(1).stream(Stream::shuffle)).empty());
}

}  // namespace logpx::rng_test
