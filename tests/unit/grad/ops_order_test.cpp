#include "libcore/grad/ops_order.hpp"

#include "libcore/base/index.hpp"
#include "libcore/grad/executor.hpp"
#include "tests/support/gradcheck.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace logpx::ops_order_test {
namespace {

using gradcheck::Case;
using gradcheck::Input;
using Vars = std::vector<Var>;

const Input scores_of_two = {
    .shape = {2, 4}, .differentiable = false, .values = {0.3, -1, 2, 0.7, 1.5, 0, -0.4, 0.1}};
const Input all_but_one = {
    .shape = {2, 4}, .differentiable = false, .values = {1, 1, 1, 1, 1, 1, 0, 1}};
const Input counts_of_two = {.shape = {2}, .classes = 4};

const std::vector<Case> cases = {
    {"prefix_mask",
     {{{2, 4}}, counts_of_two, all_but_one},
     [](const Vars& in) { return prefix_mask(in[0], in[1], in[2]); },
     {.gradient_stops = true}},
    {"plackett_luce_prefix",
     {{{2, 4}}, scores_of_two, counts_of_two, all_but_one},
     [](const Vars& in) { return plackett_luce_prefix(in[0], in[1], in[2], in[3]); }},
    {"masked_log_softmax",
     {{{2, 4}}, all_but_one},
     [](const Vars& in) { return masked_log_softmax(in[0], in[1]); }},
    {"softmax_entropy", {{{2, 3, 5}}}, [](const Vars& in) { return softmax_entropy(in[0]); }},
};
const bool listed = gradcheck::list(cases);

// Rows of scores or logits, with what exists of them and how much is taken.
struct Rows {
  std::int64_t dims = 0;
  std::vector<double> g = {}, scores = {}, exists = {};
  std::vector<std::int32_t> counts = {};
};

std::vector<double> computed(const Rows& rows, const char* what) {
  Graph graph(Precision::f64);
  const std::int64_t count = std::ssize(rows.counts);
  const Shape shape{count, rows.dims};
  const Var g = graph.input("g", shape), scores = graph.input("scores", shape),
            exists = graph.input("exists", shape), counts = graph.index_input("counts", {count});
  graph.output("mask", prefix_mask(scores, counts, exists));
  graph.output("nats", plackett_luce_prefix(g, scores, counts, exists));
  Executor<double> run(graph, {});
  run.bind("g", rows.g);
  run.bind("scores", rows.scores);
  run.bind("exists", rows.exists);
  run.bind_index("counts", rows.counts);
  run.forward();
  const auto values = run.output(what).span();
  return {values.begin(), values.end()};
}

// log q of a prefix, as it is written down.
double written_down(std::span<const double> g, std::span<const int> order, std::size_t count) {
  double nats = 0;
  for (std::size_t j = 0; j < count; ++j) {
    double sum = 0;
    for (std::size_t k = j; k < order.size(); ++k) sum += std::exp(g[at(order[k])]);
    nats += g[at(order[j])] - std::log(sum);
  }
  return nats;
}

}  // namespace

TEST_CASE("grad: prefixes of orders and their weights agree with differences") {
  for (const Case& item : cases) gradcheck::run(item);
}

TEST_CASE("grad: a prefix is made of the largest scores that exist, of equals the first") {
  const Rows rows{.dims = 4,
                  .g = std::vector<double>(12),
                  .scores = {1, 3, 3, 2, 1, 3, 3, 2, 0, 0, 0, 0},
                  .exists = {1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 0},
                  .counts = {1, 2, 3}};
  CHECK(computed(rows, "mask") == std::vector<double>{0, 1, 0, 0, 0, 0, 1, 1, 1, 1, 1, 0});
}

TEST_CASE(
    "grad: the probability of a prefix is the product of its draws, for every order of four") {
  const std::vector<double> g = {0.4, -1.1, 2.3, 0.9};
  std::vector<int> order = {0, 1, 2, 3};
  double total = 0;
  do {
    Rows rows{.dims = 4};
    for (std::int32_t count = 0; count <= 4; ++count) {
      rows.counts.push_back(count);
      rows.g.insert(rows.g.end(), g.begin(), g.end());
      rows.exists.insert(rows.exists.end(), 4, 1.0);
      for (int k = 0; k < 4; ++k)
        rows.scores.push_back(
            static_cast<double>(order.end() - std::find(order.begin(), order.end(), k)));
    }
    const std::vector<double> nats = computed(rows, "nats");
    for (std::size_t count = 0; count <= 4; ++count)
      CHECK(nats[count] == doctest::Approx(written_down(g, order, count)).epsilon(1e-13));
    total += std::exp(nats[4]);
  } while (std::next_permutation(order.begin(), order.end()));
  CHECK(total == doctest::Approx(1).epsilon(1e-13));
}

TEST_CASE("grad: orders with extreme weights have finite probabilities and slopes") {
  Graph graph(Precision::f32);
  const Var g = graph.input("g", {1, 3}), exists = graph.input("exists", {1, 3}),
            counts = graph.index_input("counts", {1});
  graph.output("nats", plackett_luce_prefix(g, g, counts, exists));
  Executor<float> run(graph, {.from = "nats", .inputs = {"g"}});
  const std::vector<float> weights = {60, -60, 0}, all(3, 1.0F);
  const std::vector<std::int32_t> two = {2};
  run.bind("g", weights);
  run.bind("exists", all);
  run.bind_index("counts", two);
  run.forward();
  run.backward();
  CHECK(run.output("nats")[0] == doctest::Approx(0).epsilon(1e-6));
  for (std::int64_t k = 0; k < 3; ++k) CHECK(std::abs(run.gradient("g")[k]) < 1e-6F);
}

TEST_CASE("grad: what is masked has no share in a softmax, and what is impossible no entropy") {
  Graph graph(Precision::f64);
  const Var x = graph.input("x", {1, 3}), mask = graph.input("mask", {1, 3});
  graph.output("log_p", masked_log_softmax(x, mask));
  graph.output("nats", softmax_entropy(x));
  Executor<double> run(graph, {});
  const std::vector<double> logits = {0, -std::numeric_limits<double>::infinity(), 0},
                            kept = {1, 0, 1};
  run.bind("x", logits);
  run.bind("mask", kept);
  run.forward();
  CHECK(run.output("log_p")[0] == doctest::Approx(-std::log(2.0)));
  CHECK(run.output("log_p")[1] == 0);
  CHECK(run.output("nats")[0] == doctest::Approx(std::log(2.0)));
}

}  // namespace logpx::ops_order_test
