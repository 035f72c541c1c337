#include "libcore/model/context_table.hpp"

#include "libcore/det/draws.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace logpx::context_table_test {
namespace {

Extents picture(std::int64_t height, std::int64_t width, std::int64_t channels = 1) {
  return {
      .dims = height * width * channels, .channels = channels, .height = height, .width = width};
}

std::shared_ptr<const ContextTable> table_of(std::int64_t neighbours, const Extents& extents) {
  return context_table(neighbours, extents, *make_likelihood("logistic256", 256, {}));
}

std::vector<std::int32_t> seen_from(const ContextTable& table, std::int64_t dim) {
  return {table.places_of(dim), table.places_of(dim) + table.seen};
}

}  // namespace

TEST_CASE("context: a pixel sees the nearest ones before it, upper and then left ones first") {
  const auto table = table_of(12, picture(5, 5));
  CHECK(seen_from(*table, 12) == std::vector<std::int32_t>{7, 11, 6, 8, 2, 10, 1, 3, 5, 9, 0, 4});
  const auto corner = seen_from(*table, 0);
  CHECK(std::ranges::count(corner, ContextTable::outside) == 12);
  CHECK(table->bright == 252.0);
  CHECK(table->width() == 36);
}

TEST_CASE("context: a pixel of a colour picture sees its own earlier channels") {
  const auto table = table_of(1, picture(1, 2, 3));
  CHECK(table->width() == 5 * 3 + 3);
  constexpr std::int32_t later = ContextTable::later, outside = ContextTable::outside;
  CHECK(seen_from(*table, 1) == std::vector<std::int32_t>{outside, outside, outside, later, later});
  CHECK(seen_from(*table, 3) == std::vector<std::int32_t>{outside, outside, outside, 1, later});
  CHECK(seen_from(*table, 5) == std::vector<std::int32_t>{outside, outside, outside, 1, 3});
}

TEST_CASE("context: pixel (r, c) lies in front c + (R + 1) r, R the reach to the right") {
  struct Case {
    std::int64_t neighbours, reach;
    std::size_t fronts;
  };
  for (const Case& c : {Case{12, 2, 109}, Case{24, 3, 136}}) {
    const Fronts fronts = fronts_of(*table_of(c.neighbours, picture(28, 28)));
    CHECK(fronts.size() == c.fronts);
    for (std::size_t f = 0; f < fronts.size(); ++f)
      for (const std::int32_t pixel : fronts[f])
        CHECK(static_cast<std::size_t>(pixel % 28 + (c.reach + 1) * (pixel / 28)) == f);
  }
}

TEST_CASE("context: fronts hold every dimension once, after all that it sees") {
  const auto table = table_of(24, picture(7, 9, 3));
  std::vector<int> front_of(static_cast<std::size_t>(table->dims()), -1);
  const Fronts fronts = fronts_of(*table);
  for (std::size_t f = 0; f < fronts.size(); ++f)
    for (const std::int32_t dim : fronts[f]) {
      CHECK(front_of[static_cast<std::size_t>(dim)] == -1);
      front_of[static_cast<std::size_t>(dim)] = static_cast<int>(f);
    }
  for (std::int64_t dim = 0; dim < table->dims(); ++dim)
    for (const std::int32_t place : seen_from(*table, dim))
      if (place >= 0)
        CHECK(front_of[static_cast<std::size_t>(place)] < front_of[static_cast<std::size_t>(dim)]);
}

TEST_CASE("context: the weighted sum of the dimensions that a step takes is right on average") {
  const auto table = table_of(12, picture(9, 9, 3));
  const ContextChoice choice(table, 0.3);
  std::vector<float> x(static_cast<std::size_t>(table->dims())), terms(x.size());
  x[20] = 7;
  DrawCursor draws(Rng(4).stream(Stream::test));
  for (float& term : terms) term = static_cast<float>(draws.uniform());
  const double all = std::accumulate(terms.begin(), terms.end(), 0.0);
  const std::int64_t most = choice.most(x);
  CHECK(most < table->dims() / 2);
  std::vector<std::int32_t> dims(static_cast<std::size_t>(most) + 5);
  std::vector<float> weights(dims.size());
  constexpr int tries = 3000;  // at equal steps, so that the mean has no noise
  double sum = 0, count = 0;
  for (int i = 0; i < tries; ++i) {
    choice.choose(x, (i + 0.5) / tries, dims, weights);
    for (std::size_t k = 0; k < dims.size(); ++k) {
      sum += static_cast<double>(weights[k]) * terms[static_cast<std::size_t>(dims[k])];
      count += static_cast<double>(weights[k]);
    }
    CHECK(std::ranges::count(dims, 20) == 1);
  }
  CHECK(sum / tries == doctest::Approx(all).epsilon(1e-3));
  CHECK(count / tries == doctest::Approx(static_cast<double>(table->dims())).epsilon(1e-3));
}

TEST_CASE("context: a step takes every pixel that is not 0 or sees one that is not, as it is") {
  for (const std::int64_t channels : {std::int64_t{1}, std::int64_t{3}}) {
    const auto table = table_of(12, picture(8, 9, channels));
    std::vector<float> x(static_cast<std::size_t>(table->dims()));
    x[30] = 1;
    x[x.size() - 11] = 200;
    const ContextChoice choice(table, 0.2);
    std::vector<std::int32_t> dims(x.size());
    std::vector<float> weights(x.size());
    choice.choose(x, 0.7, dims, weights);
    const auto size = static_cast<std::size_t>(choice.most(x));
    for (std::int64_t dim = 0; dim < table->dims(); ++dim) {
      const std::int64_t last = (channels - 1) * table->pixels + dim % table->pixels;
      std::vector<std::int32_t> all = seen_from(*table, last);
      all.push_back(static_cast<std::int32_t>(last));
      const bool plain = std::ranges::all_of(
          all, [&](std::int32_t p) { return p < 0 || x[static_cast<std::size_t>(p)] == 0; });
      const auto found = std::ranges::find(dims, dim);
      const auto place = static_cast<std::size_t>(found - dims.begin());
      if (!plain) CHECK(weights.at(place) == 1);
      else if (place < size && weights[place] > 0) CHECK(weights[place] == 5);
    }
  }
}

}  // namespace logpx::context_table_test
