#include "libcore/grad/graph_inputs.hpp"

#include "libcore/base/error.hpp"

#include <algorithm>

namespace logpx {

GraphInputs::GraphInputs(const Graph& graph, const std::string& from) {
  for (const Node& node : graph.nodes()) {
    if (node.kind == NodeKind::input)
      inputs_.push_back({node.path, Tensor<float>(node.shape), {}, false});
    if (node.kind == NodeKind::index_input)
      inputs_.push_back({node.path, {}, Tensor<std::int32_t>(node.shape), true});
  }
  if (from.empty()) return;
  const int output = graph.find_output(from);
  seed_ = Tensor<float>(graph.outputs()[static_cast<std::size_t>(output)].value.shape);
}

GraphInputs::Input& GraphInputs::find(std::string_view name) {
  const auto found = std::find_if(inputs_.begin(), inputs_.end(),
                                  [&](const Input& input) { return input.name == name; });
  LOGPX_ASSERT(found != inputs_.end());
  return *found;
}

bool GraphInputs::holds(std::string_view name) const {
  return std::ranges::find(inputs_, name, &Input::name) != inputs_.end();
}

std::span<float> GraphInputs::values(std::string_view input) { return find(input).values.span(); }

std::span<std::int32_t> GraphInputs::indices(std::string_view input) {
  return find(input).indices.span();
}

void GraphInputs::bind_to(Executor<float>& executor) const {
  for (const Input& input : inputs_) {
    if (input.is_index) executor.bind_index(input.name, input.indices.span());
    else executor.bind(input.name, input.values.span());
  }
}

std::int64_t input_bytes(const Graph& graph) {
  std::int64_t bytes = 0;
  for (const Node& node : graph.nodes())
    if (node.kind == NodeKind::input || node.kind == NodeKind::index_input)
      bytes += node.shape.elements() * 4;
  return bytes;
}

}  // namespace logpx
