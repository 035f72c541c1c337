// The inputs of one executor: memory of their shapes, to be filled before it runs.
#pragma once

#include "libcore/grad/executor.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace logpx {

class GraphInputs {
 public:
  // `from` is the output that the reverse pass starts from; empty without one.
  GraphInputs(const Graph& graph, const std::string& from);

  [[nodiscard]] bool holds(std::string_view input) const;
  [[nodiscard]] std::span<float> values(std::string_view input);
  [[nodiscard]] std::span<std::int32_t> indices(std::string_view input);
  // Weight of every element of `from` in the reverse pass; empty without one.
  [[nodiscard]] std::span<float> seed() { return seed_.span(); }
  void bind_to(Executor<float>& executor) const;

 private:
  struct Input {
    std::string name;
    Tensor<float> values;
    Tensor<std::int32_t> indices;
    bool is_index = false;
  };
  [[nodiscard]] Input& find(std::string_view name);
  std::vector<Input> inputs_;
  Tensor<float> seed_;
};

// Bytes of the inputs of a graph.
[[nodiscard]] std::int64_t input_bytes(const Graph& graph);

}  // namespace logpx
