#include "libcore/grad/executor.hpp"
#include "libcore/grad/ops_likelihood.hpp"
#include "tests/support/gradcheck.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numeric>

namespace logpx::ops_likelihood_test {
namespace {

using gradcheck::Case;
using gradcheck::Input;
using Vars = std::vector<Var>;

Input whole_numbers(Shape shape, std::vector<double> values) {
  return {.shape = shape, .differentiable = false, .values = std::move(values)};
}

const Input symbols = whole_numbers({2, 3}, {0, 7, 3, 15, 1, 14});

std::vector<Case> special_cases() {
  const Input mask{.shape = {5}, .differentiable = false, .values = {1, 0, 1, 1, 0}};
  std::vector<Case> cases;
  cases.push_back({"data under several samples",
                   {{{3, 5}, 0.1, 0.9}, {{2, 3, 5}}},
                   [](const Vars& in) { return bernoulli_log_prob(in[0], in[1], 2); }});
  cases.push_back({"one variance for all", {{{2, 3, 5}}, {{3, 5}}, {{}}}, [](const Vars& in) {
                     return gaussian_log_prob(in[0], in[1], in[2], 1);
                   }});
  cases.push_back({"one variance per column", {{{7, 5}}, {{7, 5}}, {{5}}}, [](const Vars& in) {
                     return gaussian_log_prob(in[0], in[1], in[2], 0);
                   }});
  cases.push_back({"rows beyond a block", {{{2, 700}, 0.1, 0.9}, {{2, 700}}}, [](const Vars& in) {
                     return bernoulli_log_prob(in[0], in[1], 1);
                   }});
  cases.push_back(
      {"far bins of a narrow normal",
       {symbols, {{2, 3}, -3, -2}, {{2, 3}, -7, -6}},
       [](const Vars& in) { return discretized_gaussian_log_prob(in[0], in[1], in[2], 16, 0); }});
  cases.push_back(
      {"narrow bins of a wide normal",
       {symbols, {{2, 3}, -3, 3}, {{2, 3}, 12, 14}},
       [](const Vars& in) { return discretized_gaussian_log_prob(in[0], in[1], in[2], 16, 0); }});
  cases.push_back({"large counts", {symbols, {{2, 3}, 8, 11}, {{2, 3}, 8, 11}}, [](const Vars& in) {
                     return beta_binomial_log_prob(in[0], in[1], in[2], 15, 2);
                   }});
  cases.push_back({"categorical",
                   {{{2, 3, 5}}, {.shape = {2, 3}, .classes = 5}},
                   [](const Vars& in) { return categorical_log_prob(in[0], in[1]); }});
  Input allowed{.shape = {2, 3}, .classes = 5};
  allowed.values = {0, 2, 3, 3, 2, 0};
  cases.push_back({"categorical of some classes", {{{2, 3, 5}}, allowed, mask}, [](const Vars& in) {
                     return categorical_log_prob(in[0], in[1], in[2]);
                   }});
  return cases;
}

std::vector<Case> likelihood_cases() {
  std::vector<Case> cases = special_cases();
  for (const int kept : {0, 1, 2}) {
    cases.push_back({"bernoulli", {{{2, 3}, 0.1, 0.9}, {{2, 3}, -9, 9}}, [=](const Vars& in) {
                       return bernoulli_log_prob(in[0], in[1], kept);
                     }});
    cases.push_back({"gaussian", {{{2, 3}}, {{2, 3}}, {{2, 3}}}, [=](const Vars& in) {
                       return gaussian_log_prob(in[0], in[1], in[2], kept);
                     }});
    cases.push_back(
        {"discretised logistic", {symbols, {{2, 3}, -1, 1}, {{2, 3}, -5, 1}}, [=](const Vars& in) {
           return discretized_logistic_log_prob(in[0], in[1], in[2], 16, kept);
         }});
    cases.push_back(
        {"discretised gaussian", {symbols, {{2, 3}, -1, 1}, {{2, 3}, -5, 1}}, [=](const Vars& in) {
           return discretized_gaussian_log_prob(in[0], in[1], in[2], 16, kept);
         }});
    cases.push_back(
        {"beta-binomial", {symbols, {{2, 3}, -3, 5}, {{2, 3}, -3, 5}}, [=](const Vars& in) {
           return beta_binomial_log_prob(in[0], in[1], in[2], 15, kept);
         }});
    cases.push_back(
        {"mixture",
         {symbols, {{2, 3, 4}}, {{2, 3, 4}, -1, 1}, {{2, 3, 4}, -4, 1}},
         [=](const Vars& in) {
           return discretized_logistic_mixture_log_prob(in[0], {in[1], in[2], in[3]}, 16, kept);
         }});
    cases.push_back({"standard_normal_kl", {{{2, 3}}, {{2, 3}}}, [=](const Vars& in) {
                       return standard_normal_kl(in[0], in[1], kept);
                     }});
    cases.push_back({"normal_kl", {{{2, 3}}, {{2, 3}}, {{2, 3}}, {{2, 3}}}, [=](const Vars& in) {
                       return normal_kl({in[0], in[1], in[2], in[3]}, kept);
                     }});
  }
  return cases;
}

const std::vector<Case> cases = likelihood_cases();
const bool listed = gradcheck::list(cases);

// log p of 0 .. count-1, one after the other, under parameters (a, b).
using Density = Var (*)(Var, Var, Var, std::int64_t, int);
std::vector<double> log_probs(Density density, std::int64_t count, double a, double b,
                              std::int64_t size) {
  Graph graph(Precision::f64);
  const Var x = graph.input("x", {count});
  graph.output("y", density(x, graph.constant(a), graph.constant(b), size, 1));
  std::vector<double> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), 0.0);
  Executor<double> executor(graph, {});
  executor.bind("x", all);
  executor.forward();
  const auto y = executor.output("y").span();
  return {y.begin(), y.end()};
}

double total(const std::vector<double>& log_p) {
  double sum = 0;
  for (const double value : log_p) sum += std::exp(value);
  return sum;
}

}  // namespace

TEST_CASE("grad: likelihoods agree with differences") {
  for (const Case& item : cases) gradcheck::run(item);
}

TEST_CASE("grad: probabilities of all levels sum to one, in the tails too") {
  for (const double mean : {-3.0, 0.0, 0.7})
    for (const double log_scale : {-7.0, -2.0, 1.0, 7.0}) {
      const auto log_p = log_probs(discretized_logistic_log_prob, 256, mean, log_scale, 256);
      CHECK(std::abs(total(log_p) - 1) < 1e-13);
      for (const double value : log_p) CHECK(std::isfinite(value));
    }
  for (const double mean : {-1.5, 0.0, 0.7})
    for (const double log_var : {-14.0, -4.0, 0.0, 9.0, 30.0}) {
      const auto log_p = log_probs(discretized_gaussian_log_prob, 256, mean, log_var, 256);
      CHECK(std::abs(total(log_p) - 1) < 1e-13);
      for (const double value : log_p) CHECK(std::isfinite(value));
    }
  for (const double a : {-6.9, 0.0, 8.3, 11.0})
    for (const double b : {-6.9, 2.0, 8.3, 11.0})
      CHECK(std::abs(total(log_probs(beta_binomial_log_prob, 256, a, b, 255)) - 1) < 1e-10);
}

TEST_CASE("grad: bins of a normal keep their digits in the tails and where they are narrow") {
  struct Bin {
    double mean, deviation;
    std::size_t level;
    double log_p;
  };
  // Differences of erfc with 60 digits.
  const std::vector<Bin> bins = {
      {0.5, 0.125, 128, -4.3809245653920179},       {0.5, 0.125, 0, -10.29393472884054},
      {0.5, 0.125, 255, -10.29393472884054},        {0.9375, 0.0625, 3, -113.34623604813134},
      {0.0625, 0.015625, 250, -1723.1195108165509}, {0.5, 0.00390625, 10, -6903.9727112926977},
      {1, 0.001953125, 0, -130565.65139039946},     {0, 0.001953125, 255, -130565.65139039946},
      {0.25, 64, 77, -10.619085491459668},          {0.75, 4096, 200, -14.777968245117571},
      {0.5, 4096, 255, -0.69324420133073467}};
  for (const Bin& bin : bins) {
    const auto log_p =
        log_probs(discretized_gaussian_log_prob, 256, bin.mean, 2 * std::log(bin.deviation), 256);
    CHECK(std::abs(log_p[bin.level] - bin.log_p) <= 1e-13 * (1 + std::abs(bin.log_p)));
  }
}

TEST_CASE("grad: a level that does not exist has no probability of the beta-binomial") {
  Graph graph(Precision::f64);
  const Var x = graph.input("x", {4, 1}), zero = graph.input("zero", {1});
  graph.output("y", beta_binomial_log_prob(x, zero, zero, 255, 1));
  Executor<double> executor(graph, {});
  const std::vector<double> levels = {0, 256, -1, std::numeric_limits<double>::quiet_NaN()},
                            zeros = {0};
  executor.bind("x", levels);
  executor.bind("zero", zeros);
  executor.forward();
  CHECK(executor.output("y")[0] == doctest::Approx(-std::log(256.0)));
  for (std::int64_t i = 1; i < 4; ++i) CHECK(std::isnan(executor.output("y")[i]));
}

TEST_CASE("grad: a class that is left out has log p of -inf and no gradient anywhere") {
  Graph graph(Precision::f64);
  const Var logits = graph.input("logits", {1, 3});
  graph.output("y",
               categorical_log_prob(logits, graph.index_input("x", {1}), graph.input("mask", {3})));
  Executor<double> executor(graph, {.from = "y", .inputs = {"logits"}});
  const std::vector<double> values = {1, 2, 3}, mask = {1, 0, 1};
  const std::vector<std::int32_t> x = {1};
  executor.bind("logits", values);
  executor.bind("mask", mask);
  executor.bind_index("x", x);
  executor.forward();
  executor.backward();
  CHECK(executor.output("y")[0] == -std::numeric_limits<double>::infinity());
  for (const double g : executor.gradient("logits").span()) CHECK(g == 0);
}

TEST_CASE("grad: a row of logits of -inf, or a class of -inf, has log p of -inf and no gradient") {
  const double nothing = -std::numeric_limits<double>::infinity();
  Graph graph(Precision::f64);
  const Var logits = graph.input("logits", {3, 3});
  graph.output("y", categorical_log_prob(logits, graph.index_input("x", {3})));
  Executor<double> executor(graph, {.from = "y", .inputs = {"logits"}});
  const std::vector<double> values = {nothing, nothing, nothing, 1, nothing, 2, 1, nothing, 2};
  const std::vector<std::int32_t> x = {1, 1, 0};
  executor.bind("logits", values);
  executor.bind_index("x", x);
  executor.forward();
  executor.backward();
  const auto y = executor.output("y");
  const auto gradient = executor.gradient("logits");
  CHECK(y[0] == nothing);
  CHECK(y[1] == nothing);
  for (std::int64_t i = 0; i < 6; ++i) CHECK(gradient[i] == 0);
  const double p = 1 / (1 + std::exp(1.0));
  CHECK(y[2] == doctest::Approx(std::log(p)));
  CHECK(gradient[6] == doctest::Approx(1 - p));
  CHECK(gradient[7] == 0);
}

TEST_CASE("grad: a beta-binomial of huge counts has the slopes of its binomial limit") {
  // With a, b -> inf and p = a / (a + b): d log p / d log a = x - n p = -d log p / d log b.
  constexpr std::int64_t n = 255;
  for (const double log_a : {18.0, 30.0, 34.5, 300.0}) {
    const double log_b = log_a - 1, p = 1 / (1 + std::exp(-1.0));
    Graph graph(Precision::f64);
    const Var x = graph.input("x", {3, 1}), a = graph.input("a", {3, 1}),
              b = graph.input("b", {3, 1});
    graph.output("y", beta_binomial_log_prob(x, a, b, n, 1));
    Executor<double> executor(graph, {.from = "y", .inputs = {"a", "b"}});
    const std::vector<double> levels = {0, 100, 255}, as(3, log_a), bs(3, log_b);
    executor.bind("x", levels);
    executor.bind("a", as);
    executor.bind("b", bs);
    executor.forward();
    executor.backward();
    const double finite = 2.0 * n * n * std::exp(-log_b) + 1e-11;  // what the limit leaves out
    for (std::int64_t i = 0; i < 3; ++i) {
      const double slope = levels[static_cast<std::size_t>(i)] - static_cast<double>(n) * p;
      CHECK(std::abs(executor.gradient("a")[i] - slope) < finite);
      CHECK(std::abs(executor.gradient("b")[i] + slope) < finite);
    }
  }
}

}  // namespace logpx::ops_likelihood_test
