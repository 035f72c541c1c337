#include "tests/support/golden_expression.hpp"

#include "libcore/grad/executor.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

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

// Values and gradients by name; the values under an empty one.
using Numbers = std::map<std::string, std::vector<double>>;

// The numbers in precision T, rounded to R before.
template <typename T, typename R = T>
std::vector<T> numbers(const Json& nested) {
  const Tensor<double> all = nested_tensor(nested);
  std::vector<T> values;
  for (const double value : all.span()) values.push_back(static_cast<T>(static_cast<R>(value)));
  return values;
}

// Values and gradients in precision T, with all inputs rounded to R.
template <typename T, typename R>
Numbers compute(const Expectation& expected) {
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
    bound[name] = numbers<T, R>(*values);
    run.bind(name, bound[name]);
  }
  for (const auto& [name, values] : scene.indices()) run.bind_index(name, values);
  run.forward();
  Numbers computed;
  const auto take = [&](const std::string& name, View<const T> values) {
    computed[name].assign(values.span().begin(), values.span().end());
  };
  take("", run.output("y"));
  if (expected.gradients.empty()) return computed;
  if (expected.upstream != nullptr) run.backward(numbers<T, R>(*expected.upstream));
  else run.backward();
  for (const auto& [name, values] : expected.gradients) take(name, run.gradient(name));
  return computed;
}

Numbers reference(const Expectation& expected) {
  Numbers numbers_of = {{"", numbers<double>(*expected.output)}};
  for (const auto& [name, values] : expected.gradients) numbers_of[name] = numbers<double>(*values);
  return numbers_of;
}

template <typename T>
void check_close(const Numbers& computed, const Numbers& expected) {
  for (const auto& [name, wanted] : expected) {
    CAPTURE(name);
    const double relative = name.empty() ? tolerance<T>.value : tolerance<T>.gradient;
    const std::vector<double>& values = computed.at(name);
    REQUIRE(values.size() == wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      CAPTURE(i);
      const double allowed = std::max(relative * std::abs(wanted[i]), tolerance<T>.near_zero);
      CHECK_MESSAGE(std::abs(values[i] - wanted[i]) <= allowed,
                    values[i] << " against " << wanted[i]);
    }
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
  Numbers wanted = reference(expected);
  const Numbers exact = compute<double, double>(expected);
  {
    INFO("in double");
    check_close<double>(exact, wanted);
  }
  const Numbers rounded = compute<double, float>(expected);
  for (auto& [name, values] : wanted)
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] += rounded.at(name)[i] - exact.at(name)[i];
  INFO("in float");
  check_close<float>(compute<float, float>(expected), wanted);
}

}  // namespace logpx::golden
