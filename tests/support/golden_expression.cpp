#include "tests/support/golden_expression.hpp"

#include "libcore/grad/executor.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

namespace logpx::golden {
namespace {

// Relative, and absolute where the expected number is near zero.   [tests/golden/vae.md]
struct Tolerance {
  double value, gradient, near_zero;
};
template <typename T>
constexpr Tolerance tolerance = {2e-5, 2e-4, 1e-5};
template <>
constexpr Tolerance tolerance<double> = {1e-10, 1e-10, 1e-12};

void flatten(const Json& nested, std::vector<double>& values) {
  if (!nested.is_array()) {
    values.push_back(real(nested));
    return;
  }
  for (const Json& item : nested.items()) flatten(item, values);
}

template <typename T>
void check_close(View<const T> computed, const Json& nested, double relative, double slack = 0) {
  const Tensor<double> expected = nested_tensor(nested);
  REQUIRE(computed.size() == expected.size());
  for (std::int64_t i = 0; i < expected.size(); ++i) {
    CAPTURE(i);
    const double value = static_cast<double>(computed[i]);
    const double allowed =
        std::max(relative * std::abs(expected[i]), tolerance<T>.near_zero) + slack;
    CHECK_MESSAGE(std::abs(value - expected[i]) <= allowed, value << " against " << expected[i]);
  }
}

template <typename T>
std::vector<T> numbers(const Json& nested) {
  const Tensor<double> values = nested_tensor(nested);
  return {values.span().begin(), values.span().end()};
}

template <typename T>
void compare_in(const Expectation& expected) {
  Graph graph(std::is_same_v<T, float> ? Precision::f32 : Precision::f64);
  Scene scene(graph);
  for (const auto& [name, values] : expected.inputs)
    scene.add_input(name, nested_tensor(*values).shape());
  graph.output("y", expected.build(scene));
  PlanRequest request;
  if (!expected.gradients.empty()) request.from = "y";
  for (const auto& [name, values] : expected.gradients) request.inputs.push_back(name);
  Executor<T> run(graph, request);
  std::map<std::string, std::vector<T>> bound;
  for (const auto& [name, values] : expected.inputs) {
    bound[name] = numbers<T>(*values);
    run.bind(name, bound[name]);
  }
  for (const auto& [name, values] : scene.indices()) run.bind_index(name, values);
  run.forward();
  const double half_unit = std::numeric_limits<T>::epsilon() / 4;  // of inputs within [-1, 1]
  check_close(run.output("y"), *expected.output, tolerance<T>.value,
              expected.steepness * half_unit);
  if (expected.gradients.empty()) return;
  if (expected.upstream != nullptr) run.backward(numbers<T>(*expected.upstream));
  else run.backward();
  for (const auto& [name, values] : expected.gradients) {
    CAPTURE(name);
    check_close(run.gradient(name), *values, tolerance<T>.gradient);
  }
}

}  // namespace

Tensor<double> nested_tensor(const Json& nested) {
  std::vector<std::int64_t> sizes;
  for (const Json* level = &nested; level->is_array(); level = &level->at(std::size_t{0})) {
    sizes.push_back(static_cast<std::int64_t>(level->size()));
    if (level->size() == 0) break;
  }
  std::vector<double> values;
  flatten(nested, values);
  return {Shape(sizes), values};
}

Var Scene::index(const Json& nested) {
  const std::string name = "index " + std::to_string(indices_.size());
  const Tensor<double> values = nested_tensor(nested);
  std::vector<std::int32_t>& whole = indices_[name];
  for (const double value : values.span()) whole.push_back(static_cast<std::int32_t>(value));
  return graph_.index_input(name, values.shape());
}

void Scene::add_input(const std::string& name, Shape shape) {
  inputs_.emplace(name, graph_.input(name, shape));
}

void compare(const Expectation& expected) {
  {
    INFO("in float");
    compare_in<float>(expected);
  }
  INFO("in double");
  compare_in<double>(expected);
}

}  // namespace logpx::golden
