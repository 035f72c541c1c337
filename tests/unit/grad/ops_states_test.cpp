#include "libcore/grad/ops_states.hpp"

#include "libcore/grad/executor.hpp"
#include "libcore/grad/ops_attention.hpp"
#include "libcore/grad/ops_index.hpp"
#include "libcore/grad/ops_matrix.hpp"
#include "libcore/grad/ops_norm.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "tests/support/gradcheck.hpp"

#include <doctest/doctest.h>

namespace logpx::ops_states_test {
namespace {

using In = std::vector<Var>;

StateSteps steps_of(const In& in, std::int64_t count) {
  StateSteps steps{.query = {in[1], in[2]},
                   .key = {in[3], in[4]},
                   .value = {in[5], in[6]},
                   .next = {in[7], in[8]},
                   .scale = in[9],
                   .shift = in[10],
                   .count = count};
  if (in.size() > 11) steps.added = in[11];
  return steps;
}

// first, four layers, scale and shift, and what is added. A bias of keys changes nothing, and its
// gradient is what rounding leaves of 0.
std::vector<gradcheck::Input> inputs(std::int64_t rows, std::int64_t width) {
  std::vector<gradcheck::Input> all = {{{rows, width}}};
  for (int layer = 0; layer < 4; ++layer) {
    all.push_back({{width, width}});
    all.push_back({.shape = {width}, .differentiable = layer != 1});
  }
  all.push_back({{width}});
  all.push_back({{width}});
  return all;
}

std::vector<gradcheck::Input> with_added(std::int64_t rows, std::int64_t width,
                                         std::int64_t count) {
  std::vector<gradcheck::Input> all = inputs(rows, width);
  all.push_back({{rows, count, width}});
  return all;
}

gradcheck::Case case_of(const std::string& name, std::vector<gradcheck::Input> in,
                        std::int64_t count) {
  return {name, std::move(in),
          [count](const In& of) { return attentive_states(of[0], steps_of(of, count)); }};
}

const std::vector<gradcheck::Case> cases = {
    case_of("states, four of width 3", inputs(2, 3), 4),
    case_of("states with something added", with_added(2, 4, 3), 3),
    case_of("states, only the first", inputs(3, 2), 1),
};
const bool listed = gradcheck::list(cases);

// The same by ops of single steps.
Var step_by_step(const In& in, std::int64_t count) {
  const std::int64_t rows = in[0].shape()[0], width = in[0].shape()[1];
  Var h = in[0].reshape({rows, 1, width});
  In seen = {h}, keys, values;
  for (std::int64_t t = 1; t < count; ++t) {
    keys.push_back(linear(h, in[3], in[4]));
    values.push_back(linear(h, in[5], in[6]));
    const Var found = attention(linear(h, in[1], in[2]), concat(keys, 1), concat(values, 1));
    h = gelu_erf(layer_norm(linear(add(h, found), in[7], in[8]), in[9], in[10]));
    if (in.size() > 11) h = add(h, slice(in[11], 1, t - 1, t));
    seen.push_back(h);
  }
  return seen.size() == 1 ? h : concat(seen, 1);
}

}  // namespace

TEST_CASE("state ops: backward equals central differences") {
  for (const gradcheck::Case& item : cases) gradcheck::run(item);
}

TEST_CASE("state ops: a sequence at once is that of its single steps") {
  for (const Product product : {Product::blas, Product::ordered}) {
    Graph graph;
    In in;
    std::vector<std::vector<float>> numbers;
    for (const gradcheck::Input& input : with_added(3, 5, 6)) {
      in.push_back(graph.input("in" + std::to_string(in.size()), input.shape));
      std::vector<float>& own = numbers.emplace_back();
      for (std::int64_t i = 0; i < input.shape.elements(); ++i)
        own.push_back(static_cast<float>((i * 7 + std::ssize(numbers) * 3) % 13) / 8 - 0.7F);
    }
    graph.output("at_once", attentive_states(in[0], steps_of(in, 6)));
    graph.output("by_steps", step_by_step(in, 6));
    Executor<float> run(graph, {.numerics = {.product = product}});
    for (std::size_t i = 0; i < in.size(); ++i) run.bind("in" + std::to_string(i), numbers[i]);
    run.forward();
    const std::span<const float> found = run.output("at_once").span(),
                                 wanted = run.output("by_steps").span();
    for (std::size_t i = 0; i < found.size(); ++i)
      CHECK(found[i] == doctest::Approx(wanted[i]).epsilon(1e-4));
  }
}

TEST_CASE(
    "state ops: repeatable numbers of a row depend neither on other rows nor on later states") {
  const auto states = [](std::int64_t rows, std::int64_t count) {
    Graph graph;
    In in;
    std::vector<std::vector<float>> numbers;
    for (const gradcheck::Input& input : with_added(rows, 5, count)) {
      in.push_back(graph.input("in" + std::to_string(in.size()), input.shape));
      std::vector<float>& own = numbers.emplace_back();
      const bool is_added = in.size() == 12;
      for (std::int64_t i = 0; i < input.shape.elements(); ++i) {
        const std::int64_t place = is_added ? i % (count * 5) + i / (count * 5) * 64 : i;
        own.push_back(static_cast<float>((place * 7 + std::ssize(numbers) * 3) % 13) / 8 - 0.7F);
      }
    }
    graph.output("y", attentive_states(in[0], steps_of(in, count)));
    Executor<float> run(graph, {.numerics = repeatable_numerics});
    for (std::size_t i = 0; i < in.size(); ++i) run.bind("in" + std::to_string(i), numbers[i]);
    run.forward();
    const std::span<const float> y = run.output("y").span();
    return std::vector<float>(y.begin(), y.begin() + 3 * 5);
  };
  const std::vector<float> alone = states(1, 3);
  CHECK(states(4, 3) == alone);
  CHECK(states(2, 7) == alone);
}

}  // namespace logpx::ops_states_test
