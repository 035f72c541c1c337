// Runs layers with the parameters of a golden file, in either precision, and compares the results.
#pragma once

#include "formats/json/value.hpp"
#include "libcore/grad/activation.hpp"
#include "libcore/grad/executor.hpp"
#include "libcore/grad/params.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

namespace logpx::golden_layer {

struct Values {
  Shape shape;
  std::vector<double> data;
};

// Nested lists, or an object with `shape` and `data`.
[[nodiscard]] Values tensor(const Json& json);
[[nodiscard]] Values transposed(const Values& matrix);
// `name` as options of fit-prior have it.
[[nodiscard]] Activation activation_of(const std::string& name);

// |computed - expected| <= tolerance (|expected| + largest), with the largest of the tensor or, for
// a gradient that may be all rounding, the one that is given, if that is larger.
void check_close(const std::string& what, const std::vector<double>& computed,
                 const std::vector<double>& expected, double tolerance, double largest = 0);
[[nodiscard]] double largest_of(const std::vector<double>& values);

struct Case {
  const ParamSet* params = nullptr;
  std::map<std::string, Values> parameters = {};  // by name: all of them
  std::map<std::string, Values> inputs = {};
  std::vector<std::string> wanted = {};  // inputs whose gradient is asked for
  std::vector<double> upstream = {};
  std::function<Var(Graph&)> build = {};
};

struct Computed {
  std::vector<double> y;
  std::map<std::string, std::vector<double>> gradients;  // of parameters and wanted inputs
};

template <typename T>
Computed compute(const Case& item) {
  Graph graph(std::is_same_v<T, float> ? Precision::f32 : Precision::f64);
  graph.output("y", item.build(graph));
  const bool parameters = item.params != nullptr && item.params->count() > 0;
  Executor<T> run(graph, {.from = "y", .parameters = parameters, .inputs = item.wanted});
  std::map<std::string, std::vector<T>> bound;
  for (const auto& [name, values] : item.inputs) {
    bound[name].assign(values.data.begin(), values.data.end());
    run.bind(name, bound[name]);
  }
  std::vector<T> block, gradients;
  if (parameters) {
    REQUIRE(item.parameters.size() == static_cast<std::size_t>(item.params->count()));
    block.resize(static_cast<std::size_t>(item.params->block_size()));
    gradients.resize(block.size());
    for (const ParamInfo& info : item.params->infos()) {
      CAPTURE(info.name);
      const Values& values = item.parameters.at(info.name);
      REQUIRE(values.shape == info.shape);
      for (std::size_t i = 0; i < values.data.size(); ++i)
        block[static_cast<std::size_t>(info.offset) + i] = static_cast<T>(values.data[i]);
    }
    run.bind_parameters(block, gradients);
  }
  run.forward();
  Computed result;
  const View<const T> y = run.output("y");
  result.y.assign(y.data, y.data + y.size());
  const std::vector<T> seed(item.upstream.begin(), item.upstream.end());
  run.backward(seed);
  for (const std::string& name : item.wanted) {
    const View<const T> g = run.gradient(name);
    result.gradients[name].assign(g.data, g.data + g.size());
  }
  for (std::size_t i = 0; parameters && i < item.params->infos().size(); ++i) {
    const ParamInfo& info = item.params->infos()[i];
    const T* first = gradients.data() + info.offset;
    result.gradients[info.name].assign(first, first + info.shape.elements());
  }
  return result;
}

}  // namespace logpx::golden_layer
