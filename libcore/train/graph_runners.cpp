#include "libcore/train/graph_runners.hpp"

#include "libcore/base/error.hpp"

#include <algorithm>

namespace logpx {
namespace {

constexpr std::size_t kept_plans = 4;

std::int64_t input_bytes(const Graph& graph) {
  std::int64_t bytes = 0;
  for (const Node& node : graph.nodes())
    if (node.kind == NodeKind::input || node.kind == NodeKind::index_input)
      bytes += node.shape.elements() * 4;
  return bytes;
}

}  // namespace

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

struct GraphRunners::Runner {
  Runner(const Graph& graph, const PlanRequest& request)
      : executor(graph, request), inputs(graph, request.from) {
    inputs.bind_to(executor);
  }
  Executor<float> executor;
  GraphInputs inputs;
};

struct GraphRunners::Shelf {
  std::int64_t rows = 0;
  std::unique_ptr<Graph> graph;
  std::vector<std::unique_ptr<Runner>> free;
  int lent = 0;
};

GraphRunners::GraphRunners(BuildGraph build, PlanRequest request)
    : build_(std::move(build)), request_(std::move(request)) {}

GraphRunners::~GraphRunners() = default;

GraphRunners::Loan GraphRunners::lend(std::int64_t rows) { return {*this, rows}; }

GraphRunners::Loan::Loan(GraphRunners& runners, std::int64_t rows) : runners_(runners) {
  const std::lock_guard lock(runners.mutex_);
  shelf_ = &runners.shelf(rows);
  ++shelf_->lent;
  if (!shelf_->free.empty()) {
    runner_ = std::move(shelf_->free.back());
    shelf_->free.pop_back();
  } else {
    runner_ = std::make_unique<Runner>(*shelf_->graph, runners.request_);
    shelf_->free.reserve(static_cast<std::size_t>(shelf_->lent));
  }
}

GraphRunners::Loan::~Loan() {
  const std::lock_guard lock(runners_.mutex_);
  --shelf_->lent;
  shelf_->free.push_back(std::move(runner_));
}

Executor<float>& GraphRunners::Loan::executor() const { return runner_->executor; }
GraphInputs& GraphRunners::Loan::inputs() const { return runner_->inputs; }

GraphRunners::Shelf& GraphRunners::shelf(std::int64_t rows) {
  const auto found = std::find_if(shelves_.begin(), shelves_.end(),
                                  [&](const auto& shelf) { return shelf->rows == rows; });
  if (found != shelves_.end()) {
    std::rotate(found, found + 1, shelves_.end());
    return *shelves_.back();
  }
  if (shelves_.size() >= kept_plans) {
    const auto idle = std::find_if(shelves_.begin(), shelves_.end(),
                                   [](const auto& shelf) { return shelf->lent == 0; });
    if (idle != shelves_.end()) shelves_.erase(idle);
  }
  auto shelf = std::make_unique<Shelf>();
  shelf->rows = rows;
  shelf->graph = build_(rows);
  LOGPX_ASSERT(shelf->graph->precision() == Precision::f32);
  shelves_.push_back(std::move(shelf));
  return *shelves_.back();
}

std::int64_t GraphRunners::arena_bytes(std::int64_t rows) const {
  const std::unique_ptr<Graph> graph = build_(rows);
  return make_plan(*graph, request_).arena_bytes(Precision::f32) + input_bytes(*graph);
}

std::vector<ModuleMemory> GraphRunners::modules(std::int64_t rows) const {
  const std::unique_ptr<Graph> graph = build_(rows);
  return peak_by_module(*graph, make_plan(*graph, request_));
}

}  // namespace logpx
