// Sums over rows, and noise that belongs to rows.
#include "libcore/train/evaluation.hpp"

#include "libcore/base/parallel.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/train/ranks.hpp"
#include "libcore/train/row_noise.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace logpx::evaluation_test {

TEST_CASE("evaluation: sums over rows see every row once and do not depend on the threads") {
  const auto ranks = join_ranks();
  std::vector<double> one;
  for (const int threads : {1, 3}) {
    Workers workers(threads);
    const std::vector<double> sums = sum_over_rows(
        {workers, *ranks, {}}, {.rows = 257, .columns = 2},
        [](RowBlock block, std::span<double> own) {
          for (std::int64_t row = block.first; row < block.first + block.count; ++row) {
            own[0] += static_cast<double>(row);
            own[1] += 1 / static_cast<double>(row + 1);
          }
        });
    REQUIRE(sums.size() == 2);
    CHECK(sums[0] == 257 * 256 / 2);
    if (one.empty()) one = sums;
    CHECK(sums == one);
  }
}

TEST_CASE("row noise: that of a row depends on nothing but its substream and the draw") {
  const Rng rng(5);
  const auto numbered = [&](std::int64_t first) {
    return [&rng, first](std::int64_t row) {
      return rng.stream(Stream::test, static_cast<std::uint32_t>(first + row));
    };
  };
  std::vector<float> all(3 * 4 * 2), part(2 * 2 * 2);  // copies, rows, dims
  fill_row_noise(all, {.copies = 3, .count = 4}, numbered(10));
  fill_row_noise(part, {.copies = 2, .count = 2, .first_copy = 1}, numbered(12));
  for (std::size_t copy = 0; copy < 2; ++copy)
    for (std::size_t row = 0; row < 2; ++row)
      for (std::size_t d = 0; d < 2; ++d)
        CHECK(part[(copy * 2 + row) * 2 + d] == all[((copy + 1) * 4 + row + 2) * 2 + d]);
  CHECK(all[2] == static_cast<float>(normal_at(rng.stream(Stream::test, 11), 0)));
}

}  // namespace logpx::evaluation_test
