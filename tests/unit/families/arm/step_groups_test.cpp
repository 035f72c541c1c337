// Positions that are coded from one look at the network: which go together.
#include "libcore/families/arm/coding/step_groups.hpp"

#include "libcore/base/index.hpp"
#include "libcore/codec/ordered.hpp"
#include "tests/support/table_orders.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace logpx::step_groups_test {

using namespace logpx::arm;
using namespace logpx::table_orders;

namespace {

double cost_of(std::span<const double> nats, const std::vector<std::int64_t>& ends) {
  double sum = 0;
  std::int64_t begin = 0;
  for (const std::int64_t end : ends) {
    sum += static_cast<double>(end - begin) * nats[at(begin)];
    begin = end;
  }
  return sum;
}

// By trying every way to cut.
double least_cost(std::span<const double> nats, std::size_t groups) {
  double least = std::numeric_limits<double>::infinity();
  const std::size_t places = nats.size() - 1;
  for (std::size_t cuts = 0; cuts < std::size_t{1} << places; ++cuts) {
    std::vector<std::int64_t> ends;
    for (std::size_t i = 0; i < places; ++i)
      if ((cuts >> i & 1) != 0) ends.push_back(static_cast<std::int64_t>(i + 1));
    ends.push_back(std::ssize(nats));
    if (ends.size() == groups) least = std::min(least, cost_of(nats, ends));
  }
  return least;
}

std::vector<double> falling_values(std::size_t size, std::uint64_t seed) {
  DrawCursor draws(Rng(seed).stream(Stream::test));
  std::vector<double> values(size);
  double value = 0;
  for (auto v = values.rbegin(); v != values.rend(); ++v)
    *v = value += draws.normal() > 1 ? 3.0 : std::abs(draws.normal());
  return values;
}

}  // namespace

TEST_CASE("coding orders: groups cost the least of all ways to cut") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::vector<double> nats = falling_values(1 + seed % 11, seed);
    for (std::size_t groups = 1; groups <= nats.size(); ++groups) {
      CAPTURE(seed);
      CAPTURE(groups);
      const std::vector<std::int64_t> ends = best_groups(nats, groups);
      REQUIRE(ends.size() == groups);
      CHECK(ends.back() == std::ssize(nats));
      CHECK(cost_of(nats, ends) == doctest::Approx(least_cost(nats, groups)).epsilon(1e-12));
    }
  }
}

TEST_CASE("coding orders: as many groups as positions are the positions") {
  std::vector<std::int64_t> all(40);
  std::iota(all.begin(), all.end(), 1);
  CHECK(best_groups(falling_values(40, 3), 40) == all);
}

TEST_CASE("coding orders: values that rise are joined to their mean") {
  std::vector<double> values = {5, 1, 3, 2, 2.5, 0};
  make_falling(values);
  const std::vector<double> expected = {5, 2.125, 2.125, 2.125, 2.125, 0};
  CHECK(values == expected);
}

TEST_CASE("coding orders: what a position costs by how many are known is the mean over rows") {
  constexpr std::int64_t dims = 4;
  TableOrders model(random_tables(dims, 3, 7));
  std::vector<SampleRow> rows;
  for (std::uint64_t i = 0; i < 2; ++i)
    rows.push_back({row_of(model.tables(), static_cast<std::int64_t>(17 + 31 * i)),
                    codec::block_order(dims, i)});
  std::vector<double> expected(dims);
  for (std::size_t known = 0; known < at(dims); ++known)
    for (const SampleRow& row : rows) {
      std::vector<std::uint8_t> seen(at(dims));
      for (std::size_t k = 0; k < known; ++k) seen[row.order[k]] = 1;
      Looks looks;
      model.predictor().look({row.x, seen}, looks);
      for (std::size_t k = known; k < at(dims); ++k) {
        const std::uint32_t dim = row.order[k];
        const auto logits = std::span(looks.values).subspan(dim * 3, 3);
        expected[known] -=
            log_value(logits, row.x[dim]) / static_cast<double>(2 * (at(dims) - known));
      }
    }
  make_falling(expected);
  const std::vector<double> nats = nats_by_known(model.predictor(), rows);
  REQUIRE(nats.size() == expected.size());
  for (std::size_t k = 0; k < nats.size(); ++k)
    CHECK(nats[k] == doctest::Approx(expected[k]).epsilon(1e-9));
}

TEST_CASE("coding orders: a position that a row does not have costs nothing") {
  TableOrders model(random_tables(3, 2, 9));
  SampleRow row{{absent, 1, absent}, {1, 0, 2}};
  const std::vector<double> nats = nats_by_known(model.predictor(), std::span(&row, 1));
  CHECK(nats[0] > 0);
  CHECK(nats[1] == 0);
  CHECK(nats[2] == 0);
}

}  // namespace logpx::step_groups_test
