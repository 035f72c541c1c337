#include "libcore/math/low_discrepancy.hpp"

#include "libcore/base/index.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <set>

namespace logpx::low_discrepancy_test {
namespace {

std::vector<double> latin_hypercube(std::uint32_t points, std::size_t dims, Rng rng) {
  const LatinHypercube cube(points, static_cast<std::int64_t>(dims), rng);
  std::vector<double> u(points * dims);
  for (std::uint32_t i = 0; i < points; ++i) cube.point(i, std::span(u).subspan(i * dims, dims));
  return u;
}

// How many of the first 2^(a+b) points lie in each box of 2^a by 2^b: all are 1 in a (0,m,2)-net.
bool is_net(const Sobol& sobol, std::int64_t x, std::int64_t y, int a, int b) {
  std::set<std::pair<int, int>> boxes;
  std::vector<double> u(at(sobol.dims()));
  for (std::uint32_t i = 0; i < (1U << (a + b)); ++i) {
    sobol.point(i, u);
    boxes.emplace(static_cast<int>(std::ldexp(u[at(x)], a)),
                  static_cast<int>(std::ldexp(u[at(y)], b)));
  }
  return boxes.size() == (std::size_t{1} << (a + b));
}

// The mean of prod_d (1 + (u_d - 1/2)) over points, whose expectation is 1.
double product_mean(const std::vector<double>& u, std::size_t dims) {
  double sum = 0;
  for (std::size_t i = 0; i < u.size(); i += dims) {
    double product = 1;
    for (std::size_t d = 0; d < dims; ++d) product *= 0.5 + u[i + d];
    sum += product;
  }
  return sum * static_cast<double>(dims) / static_cast<double>(u.size());
}

}  // namespace

TEST_CASE("sobol: the first points in three dimensions are those that Joe and Kuo print") {
  const double expected[10][3] = {{0, 0, 0},
                                  {0.5, 0.5, 0.5},
                                  {0.75, 0.25, 0.25},
                                  {0.25, 0.75, 0.75},
                                  {0.375, 0.375, 0.625},
                                  {0.875, 0.875, 0.125},
                                  {0.625, 0.125, 0.875},
                                  {0.125, 0.625, 0.375},
                                  {0.1875, 0.3125, 0.9375},
                                  {0.6875, 0.8125, 0.4375}};
  const Sobol sobol(3, Rng(1));
  for (std::uint32_t i = 0; i < 10; ++i)
    for (std::int64_t d = 0; d < 3; ++d)
      CHECK(std::ldexp(sobol.digits(i, d), -32) == expected[i][d]);
}

TEST_CASE("sobol: in each of 1024 dimensions 2^m points fall one by one into 2^m intervals") {
  const Sobol sobol(most_sobol_dims, Rng(5));
  std::vector<std::set<int>> met(at(most_sobol_dims));
  std::vector<double> u(met.size());
  for (std::uint32_t i = 0; i < 256; ++i) {
    sobol.point(i, u);
    for (std::size_t d = 0; d < u.size(); ++d) {
      met[d].insert(static_cast<int>(256 * u[d]));
      CHECK((u[d] > 0 && u[d] < 1));
    }
  }
  for (const auto& intervals : met) CHECK(intervals.size() == 256);
  // and no dimension repeats another
  std::set<std::vector<std::uint32_t>> sequences;
  for (std::int64_t d = 0; d < most_sobol_dims; ++d) {
    std::vector<std::uint32_t> sequence;
    for (std::uint32_t bit = 0; bit < 32; ++bit) sequence.push_back(sobol.digits(1U << bit, d));
    sequences.insert(sequence);
  }
  CHECK(sequences.size() == at(most_sobol_dims));
}

TEST_CASE("sobol: scrambling keeps nets nets") {
  const Sobol sobol(2, Rng(9));
  for (int a = 0; a <= 8; ++a) CHECK(is_net(sobol, 0, 1, a, 8 - a));
}

TEST_CASE("sobol: a scrambled point is uniform, and another for another seed") {
  // Over 4000 seeds: the mean of one point's coordinate and of its square within 4.5 standard
  // errors (false alarm 3e-5 for all four).
  for (const std::uint32_t index : {0U, 77U}) {
    double sum = 0, squares = 0;
    std::vector<double> u(5);
    for (std::uint64_t seed = 0; seed < 4000; ++seed) {
      Sobol(5, Rng(seed)).point(index, u);
      sum += u[4];
      squares += u[4] * u[4];
    }
    CHECK(std::fabs(sum / 4000 - 0.5) < 4.5 * std::sqrt(1.0 / 12 / 4000));
    CHECK(std::fabs(squares / 4000 - 1.0 / 3) < 4.5 * std::sqrt(4.0 / 45 / 4000));
  }
}

TEST_CASE("sobol: scrambled points integrate without bias and far better than random ones") {
  constexpr std::size_t dims = 6, points = 512, seeds = 200;
  double sobol_sum = 0, sobol_squares = 0, cube_sum = 0, cube_squares = 0;
  std::vector<double> u(dims * points);
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const Sobol sobol(dims, Rng(seed));
    for (std::uint32_t i = 0; i < points; ++i) sobol.point(i, std::span(u).subspan(i * dims, dims));
    const double error = product_mean(u, dims) - 1;
    sobol_sum += error;
    sobol_squares += error * error;
    const double other = product_mean(latin_hypercube(points, dims, Rng(seed)), dims) - 1;
    cube_sum += other;
    cube_squares += other * other;
  }
  // Variance of the product: (1 + 1/12)^6 - 1.
  const double plain = (std::pow(13.0 / 12, 6) - 1) / points;
  CHECK(sobol_squares / seeds < plain / 500);
  CHECK(cube_squares / seeds < plain / 3);
  for (const auto& [sum, squares] : {std::pair(sobol_sum, sobol_squares), {cube_sum, cube_squares}})
    CHECK(std::fabs(sum / seeds) < 4.5 * std::sqrt(squares) / seeds);
}

TEST_CASE("latin hypercube: every interval of every dimension holds one point") {
  const std::vector<double> u = latin_hypercube(100, 7, Rng(3));
  for (std::size_t d = 0; d < 7; ++d) {
    std::set<int> intervals;
    for (std::size_t i = 0; i < 100; ++i) intervals.insert(static_cast<int>(100 * u[i * 7 + d]));
    CHECK(intervals.size() == 100);
  }
  CHECK(u == latin_hypercube(100, 7, Rng(3)));
  CHECK(u != latin_hypercube(100, 7, Rng(4)));
}

}  // namespace logpx::low_discrepancy_test
