#include "libcore/det/draws.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <vector>

namespace logpx::draws_test {
namespace {
const Rng rng(7);
}

TEST_CASE("draws: a normal by address does not depend on where the filling starts") {
  const Substream noise = rng.stream(Stream::first_for_tests, 3);
  std::vector<float> whole(37);
  fill_normals(noise, 0, whole);
  for (std::size_t start = 0; start < 9; ++start) {
    std::vector<float> part(20);
    fill_normals(noise, start, part);
    for (std::size_t k = 0; k < part.size(); ++k) CHECK(part[k] == whole[start + k]);
  }
}

TEST_CASE("draws: many normals at once are those by address, one after the other") {
  const Substream noise = rng.stream(Stream::first_for_tests, 3);
  std::vector<float> all(1101);
  fill_normals(noise, 6, all);
  for (std::size_t k = 0; k < all.size(); ++k)
    CHECK(all[k] == static_cast<float>(normal_at(noise, 6 + k)));
}

TEST_CASE("draws: the sine of a pair waits for the next normal whatever is drawn between") {
  const Substream words = rng.stream(Stream::first_for_tests, 4);
  DrawCursor cursor(words);
  CHECK(cursor.normal() == normal_at(words, 0));
  CHECK(cursor.uniform() == words.uniform(2));
  CHECK(cursor.normal() == normal_at(words, 1));
  CHECK(cursor.uniform() == words.uniform(3));
  CHECK(cursor.normal() == normal_at(words, 4));
}

// Means and variances of 200,000 draws; limits of 5 standard errors (one false alarm in a million).
TEST_CASE("draws: normal, Gumbel and exponential draws have the right moments") {
  constexpr int n = 200'000;
  DrawCursor cursor(rng.stream(Stream::first_for_tests, 5));
  struct Law {
    const char* name;
    double (*draw)(DrawCursor&);
    double mean, variance, fourth;  // fourth central moment
  };
  const double pi2 = 9.869604401089358;
  const std::array laws = {
      Law{"normal", [](DrawCursor& c) { return c.normal(); }, 0, 1, 3},
      Law{"gumbel", [](DrawCursor& c) { return gumbel_of(c.uniform()); }, 0.5772156649015329,
          pi2 / 6, (3 + 12.0 / 5) * pi2 * pi2 / 36},
      Law{"exponential", [](DrawCursor& c) { return exponential_of(c.uniform()); }, 1, 1, 9}};
  for (const Law& law : laws) {
    CAPTURE(law.name);
    double sum = 0, squares = 0;
    for (int i = 0; i < n; ++i) {
      const double x = law.draw(cursor) - law.mean;
      sum += x;
      squares += x * x;
    }
    CHECK(std::fabs(sum / n) < 5 * std::sqrt(law.variance / n));
    CHECK(std::fabs(squares / n - law.variance) <
          5 * std::sqrt((law.fourth - law.variance * law.variance) / n));
  }
}

TEST_CASE("draws: a category is drawn in proportion to its weight and never when it has none") {
  DrawCursor cursor(rng.stream(Stream::first_for_tests, 6));
  const std::array cumulative = {1.0, 1.0, 4.0, 8.0};  // weights 1, 0, 3, 4
  std::array<double, 4> seen{};
  constexpr int n = 80'000;
  for (int i = 0; i < n; ++i) ++seen[cursor.categorical(cumulative)];
  CHECK(seen[1] == 0);
  double chi2 = 0;
  for (const std::size_t k : {0u, 2u, 3u}) {
    const double expected = n * (cumulative[k] - (k ? cumulative[k - 1] : 0)) / 8;
    chi2 += (seen[k] - expected) * (seen[k] - expected) / expected;
  }
  CHECK(chi2 < 27.6);  // 2 degrees of freedom: one false alarm in a million
}

}  // namespace logpx::draws_test
