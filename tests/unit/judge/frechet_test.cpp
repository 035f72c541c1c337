#include "libcore/judge/frechet.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/parallel.hpp"
#include "tests/support/judged_rows.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace logpx::frechet_test {

using namespace logpx::testing;

namespace {

double distance_of(const JudgedRows& real, const JudgedRows& fake) {
  Workers workers(1);
  const FrechetReference reference(moments_of(real.view(), workers));
  return FrechetRows(reference, fake.view(), workers).distance(list_of(fake.n)).value;
}

// Rows turned by reflections at two random vectors, so by a rotation.
JudgedRows rotated(const JudgedRows& rows) {
  JudgedRows turned = rows;
  for (const std::uint32_t number : {90U, 91U}) {
    const JudgedRows axis = normal_rows(number, 1, rows.d);
    double square = 0;
    for (const double value : axis.values) square += value * value;
    for (std::int64_t i = 0; i < rows.n; ++i) {
      double product = 0;
      for (std::int64_t j = 0; j < rows.d; ++j)
        product += turned.values[at(i * rows.d + j)] * axis.values[at(j)];
      for (std::int64_t j = 0; j < rows.d; ++j)
        turned.values[at(i * rows.d + j)] -= 2 * product / square * axis.values[at(j)];
    }
  }
  return turned;
}

}  // namespace

TEST_CASE("moments: blocks, threads and the way rows come change no bit") {
  const JudgedRows rows = normal_rows(1, 1300, 300);
  Workers one(1), four(4);
  const Moments whole = moments_of(rows.view(), one);
  CHECK(moments_of(rows.view(), four).covariance == whole.covariance);
  const Moments listed = moments_of(rows.view(), list_of(rows.n));
  CHECK(listed.covariance == whole.covariance);
  CHECK(listed.mean == whole.mean);
}

TEST_CASE("moments: a mean of a million costs no digits of the covariance") {
  JudgedRows rows = normal_rows(2, 2000, 3);
  const Moments plain = moments_of(rows.view(), list_of(rows.n));
  for (double& value : rows.values) value = value + 1048576;  // 2^20: loses 20 of 53 bits
  const Moments moved = moments_of(rows.view(), list_of(rows.n));
  for (std::size_t e = 0; e < 9; ++e)
    CHECK(moved.covariance[e] == doctest::Approx(plain.covariance[e]).epsilon(1e-8));
}

TEST_CASE("moments: those of floats are those of the same doubles") {
  const JudgedRows rows = normal_rows(3, 700, 5);
  const std::vector<float> floats(rows.values.begin(), rows.values.end());
  const std::vector<double> doubles(floats.begin(), floats.end());
  MomentSums of_floats(5), of_doubles(5);
  of_floats.append(floats);
  of_doubles.append(doubles);
  CHECK(of_floats.finish().covariance == of_doubles.finish().covariance);
}

TEST_CASE("frechet: a set is at no distance from itself, also with fewer rows than features") {
  for (const std::int64_t n : {500, 12}) {
    const JudgedRows rows = normal_rows(4, n, 24);
    const double trace = moments_of(rows.view(), list_of(n)).trace();
    CHECK(std::fabs(distance_of(rows, rows)) <= 1e-8 * trace);
  }
}

TEST_CASE("frechet: neither a rotation of features nor the order of rows matters") {
  const JudgedRows real = normal_rows(5, 300, 10), fake = normal_rows(6, 200, 10, 1.3);
  const double value = distance_of(real, fake);
  CHECK(distance_of(rotated(real), rotated(fake)) == doctest::Approx(value).epsilon(1e-8));
  JudgedRows turned = fake;
  for (std::int64_t i = 0; i < fake.n; ++i)
    std::copy_n(fake.values.begin() + i * fake.d, fake.d,
                turned.values.begin() + (fake.n - 1 - i) * fake.d);
  CHECK(distance_of(real, turned) == doctest::Approx(value).epsilon(1e-8));
}

TEST_CASE("frechet: few rows, by their inner products, give what the full covariance gives") {
  const JudgedRows real = normal_rows(7, 100, 20), fake = normal_rows(8, 9, 20);
  Workers workers(1);
  const FrechetReference reference(moments_of(real.view(), workers));
  const double by_moments = reference.to(moments_of(fake.view(), workers)).value;
  CHECK(distance_of(real, fake) == doctest::Approx(by_moments).epsilon(1e-7));
}

TEST_CASE(
    "frechet: a feature that is always the same changes nothing, though no rank is full then") {
  const auto with_constant = [](const JudgedRows& rows) {
    JudgedRows wider{.n = rows.n, .d = rows.d + 1, .values = {}};
    for (std::int64_t i = 0; i < rows.n; ++i) {
      wider.values.insert(wider.values.end(), rows.view().row(i), rows.view().row(i) + rows.d);
      wider.values.push_back(3);
    }
    return wider;
  };
  for (const std::int64_t d : {5, 70}) {  // in one go and in several
    const JudgedRows real = normal_rows(9, 300, d), fake = normal_rows(10, 200, d, 1.3);
    const double value = distance_of(real, fake);
    CHECK(value > 0.1);
    CHECK(distance_of(with_constant(real), with_constant(fake)) ==
          doctest::Approx(value).epsilon(1e-9));
  }
}

TEST_CASE("frechet: an indefinite matrix is no covariance") {
  const Moments wrong{.n = 10, .mean = {0, 0}, .covariance = {1, 2, 2, 1}};
  CHECK_THROWS_WITH_AS(FrechetReference{wrong},
                       "is no covariance: one of its eigenvalues is -1, the largest 3", Error);
}

}  // namespace logpx::frechet_test
