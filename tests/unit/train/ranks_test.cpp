#include "libcore/base/index.hpp"
#include "libcore/base/rng.hpp"
#include "tests/support/thread_ranks.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

namespace logpx::ranks_test {

using testing::RankThreads;

namespace {

// Numbers of very different sizes, whose sum depends on the order.
template <typename T>
std::vector<T> numbers_of(int rank, std::size_t count) {
  const Substream draws = Rng(3).stream(Stream::test, static_cast<std::uint32_t>(rank));
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i)
    values[i] =
        static_cast<T>((draws.uniform(2 * i) - 0.5) * std::exp(12 * draws.uniform(2 * i + 1)));
  return values;
}

// The tree by its definition.
template <typename T>
std::vector<T> tree_of(int first, int ranks, std::size_t count) {
  if (ranks == 1) return numbers_of<T>(first, count);
  std::vector<T> sum = tree_of<T>(first, ranks / 2, count);
  const std::vector<T> upper = tree_of<T>(first + ranks / 2, ranks / 2, count);
  for (std::size_t i = 0; i < count; ++i) sum[i] += upper[i];
  return sum;
}

template <typename T>
void check_sums(int count) {
  // Below what is exchanged whole, odd parts, fewer values than ranks, more than one piece.
  for (const std::size_t values : {0, 1, 5, 4'001, 700'003}) {
    CAPTURE(count);
    CAPTURE(values);
    const std::vector<T> expected = tree_of<T>(0, count, values);
    RankThreads ranks(count);
    std::vector<std::vector<T>> all(at(count));
    ranks.run([&](Ranks& own) {
      std::vector<T>& mine = all[at(own.rank())];
      mine = numbers_of<T>(own.rank(), values);
      own.sum(std::span(mine));
    });
    for (const std::vector<T>& mine : all)
      CHECK((mine.empty() || std::memcmp(mine.data(), expected.data(), values * sizeof(T)) == 0));
  }
}

}  // namespace

TEST_CASE("ranks: every rank has the sum that one process would have, bit for bit") {
  for (const int count : {2, 4, 8}) {
    check_sums<float>(count);
    check_sums<double>(count);
  }
}

TEST_CASE("ranks: a rank sends less than twice what is summed, however many there are") {
  constexpr std::size_t values = 100'000;
  for (const int count : {2, 4, 8, 16}) {
    RankThreads ranks(count);
    ranks.run([&](Ranks& own) {
      std::vector<float> mine(values, 1.0F);
      own.sum(std::span(mine));
    });
    const double share = 2.0 * (count - 1) / count;  // of the values
    for (int rank = 0; rank < count; ++rank)
      CHECK(static_cast<double>(ranks.bytes_of(rank)) ==
            doctest::Approx(share * values * sizeof(float)).epsilon(1e-3));
  }
}

}  // namespace logpx::ranks_test
