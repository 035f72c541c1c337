// Compares an expression of the graph with reference numbers, in float and in double.
#pragma once

#include "libcore/grad/graph.hpp"
#include "tests/support/golden.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace logpx::golden {

// A nested list as a tensor: the shape comes from the nesting.
[[nodiscard]] Tensor<double> nested_tensor(const Json& nested);

// What a builder sees: the inputs of an entry by name, and ways to bring in other fields.
class Scene {
 public:
  explicit Scene(Graph& graph) : graph_(graph) {}
  [[nodiscard]] Var in(const std::string& name) const { return inputs_.at(name); }
  [[nodiscard]] Var constant(const Json& nested) { return graph_.constant(nested_tensor(nested)); }
  [[nodiscard]] Var index(const Json& nested);  // an int32 input, bound by compare()

  void add_input(const std::string& name, Shape shape);
  [[nodiscard]] const std::map<std::string, std::vector<std::int32_t>>& indices() const {
    return indices_;
  }

 private:
  Graph& graph_;
  std::map<std::string, Var> inputs_;
  std::map<std::string, std::vector<std::int32_t>> indices_;
};

struct Expectation {
  std::vector<std::pair<std::string, const Json*>> inputs = {};
  std::function<Var(Scene&)> build = {};
  const Json* output = nullptr;
  const Json* upstream = nullptr;                                   // absent: ones
  std::vector<std::pair<std::string, const Json*>> gradients = {};  // by input
};

// CHECKs values and gradients with the tolerances of tests/golden/vae.md. Rounding the inputs to
// float moves what is expected of float by as much as it moves the values and gradients in double,
// however steep the function is.
void compare(const Expectation& expected);

}  // namespace logpx::golden
