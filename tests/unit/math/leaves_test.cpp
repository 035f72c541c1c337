#include "libcore/math/leaves.hpp"

#include "tests/support/golden.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace logpx::leaves_test {

TEST_CASE("math: categorical leaves look values up and count them; missing ones are summed out") {
  const std::vector<double> log_p = {std::log(0.5), std::log(0.3),
                                     std::log(0.2), -std::numeric_limits<double>::infinity(),
                                     std::log(0.9), std::log(0.1)};
  const std::vector<std::int32_t> x = {2, -1, 0, 2};
  const std::vector<double> flow = {1, 2, 3, 4, 5, 6, 7, 8};
  std::vector<double> y(8), counts = {0.5, 0, 0, 0, 0, 0};
  const CategoricalLeaves<double> leaves{.nodes = 2,
                                         .categories = 3,
                                         .x = x,
                                         .log_p = log_p.data(),
                                         .y = y.data(),
                                         .flow = flow.data(),
                                         .counts = counts.data()};
  log_probabilities(leaves);
  CHECK(y == std::vector<double>{log_p[2], 0, log_p[0], log_p[2], log_p[5], 0, log_p[3], log_p[5]});
  count(leaves);
  CHECK(counts == std::vector<double>{3.5, 0, 5, 7, 0, 13});
}

TEST_CASE("math: binomial leaves are normalised, also at p = 0 and 1, in float as in double") {
  const std::vector<std::int32_t> x = {0, 1, 2, 3, 4, 5, -1};
  const std::vector<double> p = {0.3, 0, 1};
  const std::vector<float> p_float = {0.3F, 0, 1};
  std::vector<double> y(21);
  std::vector<float> y_float(21);
  log_probabilities(
      BinomialLeaves<double>{.nodes = 3, .trials = 5, .x = x, .p = p.data(), .y = y.data()});
  log_probabilities(BinomialLeaves<float>{
      .nodes = 3, .trials = 5, .x = x, .p = p_float.data(), .y = y_float.data()});
  for (std::size_t j = 0; j < 3; ++j) {
    double total = 0;
    for (std::size_t v = 0; v < 6; ++v) {
      total += std::exp(y[j * 7 + v]);
      const double exact = y[j * 7 + v], rounded = static_cast<double>(y_float[j * 7 + v]);
      CHECK((exact == rounded || std::fabs(exact - rounded) < 1e-5));
    }
    CHECK(total == doctest::Approx(1).epsilon(1e-13));
    CHECK(y[j * 7 + 6] == 0);
  }
  CHECK(y[7] == 0);
  CHECK(y[8] == -std::numeric_limits<double>::infinity());
}

TEST_CASE("golden: binomial leaves and the probability that EM takes from their counts") {
  const Json* golden = golden::field("pc", "leaves");
  if (golden == nullptr) return;
  for (const Json& item : golden->at("binomial").items()) {
    const double p = golden::real(item.at("p"));
    for (const Json& pair : item.at("log_pmf").items()) {
      const std::vector<std::int32_t> x = {static_cast<std::int32_t>(pair.at(0).integer())};
      double y = 1;
      log_probabilities(BinomialLeaves<double>{
          .nodes = 1, .trials = item.at("n").integer(), .x = x, .p = &p, .y = &y});
      CHECK(std::fabs(y - golden::real(pair.at(1))) < 1e-10);
    }
  }
  const Json& step = golden->at("binomial_m_step");
  std::vector<double> flow;
  std::vector<std::int32_t> x;
  for (const Json& weight : step.at("weights").items()) flow.push_back(golden::real(weight));
  for (const Json& value : step.at("x").items())
    x.push_back(static_cast<std::int32_t>(value.integer()));
  x.push_back(-1);  // counts for nothing
  flow.push_back(100);
  double weight = 0, total = 0;
  const std::int64_t n = step.at("n").integer();
  count(BinomialLeaves<double>{
      .nodes = 1, .trials = n, .x = x, .flow = flow.data(), .weight = &weight, .total = &total});
  CHECK(std::fabs(total / (static_cast<double>(n) * weight) - golden::real(step.at("p"))) < 1e-10);
}

}  // namespace logpx::leaves_test
