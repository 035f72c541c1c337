#include "libcore/math/mutual_information.hpp"

#include "libcore/base/hash.hpp"
#include "libcore/base/index.hpp"
#include "tests/support/random_values.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

namespace logpx::mutual_information_test {
namespace {

using Bins = std::vector<std::uint16_t>;

double by_formula(const Bins& values, std::int64_t rows, int bins, double alpha) {
  std::vector<double> joint(at(bins * bins), alpha), first(at(bins)), second(at(bins));
  double total = alpha * bins * bins, nats = 0;
  for (std::int64_t r = 0; r < rows; ++r) {
    const std::uint16_t a = values[at(r)], b = values[at(rows + r)];
    if (a == missing_bin || b == missing_bin) continue;
    joint[at(a * bins + b)] += 1;
    total += 1;
  }
  for (int a = 0; a < bins; ++a)
    for (int b = 0; b < bins; ++b) {
      first[at(a)] += joint[at(a * bins + b)] / total;
      second[at(b)] += joint[at(a * bins + b)] / total;
    }
  for (int a = 0; a < bins; ++a)
    for (int b = 0; b < bins; ++b) {
      const double p = joint[at(a * bins + b)] / total;
      if (p > 0) nats += p * std::log(p / (first[at(a)] * second[at(b)]));
    }
  return nats;
}

// Two variables; the second sometimes equals the first.
Bins random_bins(std::int64_t rows, int bins, bool gaps) {
  Bins values(at(2 * rows));
  const std::vector<double> noise = random_values<double>(3, values.size());
  for (std::int64_t r = 0; r < rows; ++r) {
    const auto bin = [&](double x) {
      return static_cast<std::uint16_t>(std::min<double>(bins - 1, std::abs(x) * bins / 3));
    };
    values[at(r)] = bin(noise[at(r)]);
    values[at(rows + r)] = r % 3 ? bin(noise[at(rows + r)]) : values[at(r)];
    if (gaps && r % 7 == 2) values[at(r)] = missing_bin;
    if (gaps && r % 5 == 4) values[at(rows + r)] = missing_bin;
  }
  return values;
}

}  // namespace

TEST_CASE("mutual_information: counts of every size give the formula's nats") {
  Workers workers(1);
  for (const int bins : {1, 2, 5, 64, 256})
    for (const std::int64_t rows : {1, 20, 3001})
      for (const double alpha : {0.0, 0.01, 1.0})
        for (const bool gaps : {false, true}) {
          const Bins values = random_bins(rows, bins, gaps);
          const std::vector<double> nats =
              mutual_information({values, 2, rows, bins}, alpha, workers);
          CAPTURE(bins);
          CAPTURE(rows);
          CHECK(std::abs(nats[1] - by_formula(values, rows, bins, alpha)) < 1e-10);
          CHECK(nats[1] == nats[2]);
          CHECK(nats[0] == 0);
        }
}

TEST_CASE("mutual_information: neither the order of bins nor that of variables nor threads count") {
  const std::int64_t rows = 999;
  Bins values = random_bins(rows, 16, true);
  Workers one(1), three(3);
  const double nats = mutual_information({values, 2, rows, 16}, 0.01, one)[1];
  Bins turned(values.begin() + rows, values.end());
  turned.insert(turned.end(), values.begin(), values.begin() + rows);
  CHECK(mutual_information({turned, 2, rows, 16}, 0.01, three)[1] == nats);
  for (std::uint16_t& bin : values)
    if (bin != missing_bin) bin = static_cast<std::uint16_t>((bin * 7 + 3) % 16);
  CHECK(mutual_information({values, 2, rows, 16}, 0.01, three)[1] == nats);
}

TEST_CASE("mutual_information: these bits on every machine") {
  const std::int64_t rows = 999;
  const Bins values = random_bins(rows, 16, true);
  const std::vector<double> real = random_values<double>(1, 2 * 999);
  Workers workers(1);
  std::vector<double> nats = mutual_information({values, 2, rows, 16}, 0.01, workers);
  nats.push_back(normal_information(real, 2, workers)[1]);
  CHECK(sha256_hex(std::as_bytes(std::span(nats))) ==
        "6bd96ac20014212436b7ca1ff76f5b988145ef2d3365407904d64137a1590259");
}

TEST_CASE("mutual_information: a constant variable tells nothing, nor does one never seen") {
  const std::int64_t rows = 100;
  Workers workers(1);
  for (const std::uint16_t always : {std::uint16_t{3}, missing_bin}) {
    Bins values = random_bins(rows, 8, false);
    std::fill_n(values.begin(), rows, always);
    CHECK(mutual_information({values, 2, rows, 8}, 0, workers)[1] == 0);
  }
}

TEST_CASE("mutual_information: a symbol's bin is floor(symbol bins / K)") {
  CHECK(hard_bin(255, 64, 256) == 63);
  CHECK(hard_bin(3, 64, 256) == 0);
  CHECK(hard_bin(4, 64, 256) == 1);
  CHECK(hard_bin(-1, 64, 256) == missing_bin);
}

TEST_CASE("mutual_information: of real variables, -1/2 ln (1 - rho^2)") {
  const std::int64_t rows = 500;
  const double none = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> values = random_values<double>(1, 2 * 500), gaps;
  for (std::size_t r = 0; r < 500; ++r) values[500 + r] += 0.7 * values[r] + 1e6;
  double xx = 0, xy = 0, yy = 0, mean[2] = {};
  for (std::size_t k = 0; k < 1000; ++k) mean[k / 500] += values[k] / 500;
  for (std::size_t r = 0; r < 500; ++r) {
    const double x = values[r] - mean[0], y = values[500 + r] - mean[1];
    xx += x * x;
    yy += y * y;
    xy += x * y;
  }
  Workers workers(2);
  const double nats = normal_information(values, 2, workers)[1];
  CHECK(nats == doctest::Approx(-0.5 * std::log(1 - xy * xy / (xx * yy))).epsilon(1e-6));
  for (std::size_t v = 0; v < 2; ++v) {  // rows in which one of the two is missing
    gaps.insert(gaps.end(), &values[v * 500], &values[v * 500] + rows);
    gaps.push_back(v ? none : 1e9);
    gaps.push_back(v ? -1e9 : none);
  }
  CHECK(normal_information(gaps, 2, workers)[1] == nats);
  std::fill_n(values.begin(), rows, 4.0);
  CHECK(normal_information(values, 2, workers)[1] == 0);
}

}  // namespace logpx::mutual_information_test
