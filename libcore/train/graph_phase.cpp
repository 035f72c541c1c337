#include "libcore/train/graph_phase.hpp"

#include "libcore/base/error.hpp"
#include "libcore/math/blas.hpp"

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

double share_of(const Shard& shard) { return 1 / static_cast<double>(shard.step_count); }

}  // namespace

GraphInputs::GraphInputs(const Graph& graph, const std::string& from) {
  for (const Node& node : graph.nodes()) {
    if (node.kind == NodeKind::input)
      inputs_.push_back({node.path, Tensor<float>(node.shape), {}, false});
    if (node.kind == NodeKind::index_input)
      inputs_.push_back({node.path, {}, Tensor<std::int32_t>(node.shape), true});
  }
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

struct GraphPhase::Runner {
  Runner(const Graph& graph, const PlanRequest& request, const std::string& from)
      : executor(graph, request), inputs(graph, from) {
    inputs.bind_to(executor);
  }
  Executor<float> executor;
  GraphInputs inputs;
};

struct GraphPhase::Shelf {
  std::int64_t rows = 0;
  std::unique_ptr<Graph> graph;
  std::vector<std::unique_ptr<Runner>> free;
  int lent = 0;
};

// A runner for as long as a shard needs it.
class GraphPhase::Loan {
 public:
  Loan(GraphPhase& phase, std::int64_t rows) : phase_(phase) {
    const std::lock_guard lock(phase.mutex_);
    shelf_ = &phase.shelf(rows);
    ++shelf_->lent;
    if (!shelf_->free.empty()) {
      runner_ = std::move(shelf_->free.back());
      shelf_->free.pop_back();
    } else {
      runner_ = std::make_unique<Runner>(*shelf_->graph, phase.request(), phase.parts_.from);
      shelf_->free.reserve(static_cast<std::size_t>(shelf_->lent));
    }
  }
  ~Loan() {
    const std::lock_guard lock(phase_.mutex_);
    --shelf_->lent;
    shelf_->free.push_back(std::move(runner_));
  }
  Loan(const Loan&) = delete;
  Loan& operator=(const Loan&) = delete;
  [[nodiscard]] Runner& runner() { return *runner_; }

 private:
  GraphPhase& phase_;
  Shelf* shelf_;
  std::unique_ptr<Runner> runner_;
};

GraphPhase::GraphPhase(PhaseSettings settings, GraphPhaseParts parts)
    : Phase(std::move(settings)), parts_(std::move(parts)) {}

GraphPhase::~GraphPhase() = default;

PlanRequest GraphPhase::request() const {
  PlanRequest request{.recompute = recompute_, .reuse = parts_.reuse, .numerics = parts_.numerics};
  if (settings().gradient) {
    request.from = parts_.from;
    request.parameters = true;
  }
  return request;
}

GraphPhase::Shelf& GraphPhase::shelf(std::int64_t rows) {
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
  shelf->graph = parts_.build(rows);
  LOGPX_ASSERT(shelf->graph->precision() == Precision::f32);
  shelves_.push_back(std::move(shelf));
  return *shelves_.back();
}

void GraphPhase::bind(const Shard& shard, Runner& runner) const {
  std::ranges::fill(runner.inputs.seed(), static_cast<float>(share_of(shard)));
  parts_.bind(shard, runner.inputs);
}

void GraphPhase::run(const Shard& shard, std::span<const float> theta, const ShardSums& sums) {
  single_threaded_kernels();
  Loan loan(*this, shard.count);
  Executor<float>& executor = loan.runner().executor;
  GraphInputs& inputs = loan.runner().inputs;
  bind(shard, loan.runner());
  executor.bind_parameters(theta, sums.gradient);
  executor.forward();
  const double share = share_of(shard);
  const std::vector<std::string>& terms = settings().terms;
  for (std::size_t t = 0; t < terms.size(); ++t) {
    double sum = 0;
    for (const float value : executor.output(terms[t]).span()) sum += static_cast<double>(value);
    sums.terms[t] += sum * share;
  }
  if (parts_.read) parts_.read(executor, inputs, sums);
  if (settings().gradient) executor.backward(inputs.seed());
}

std::string GraphPhase::find_trouble(const Shard& shard, std::span<const float> theta,
                                     const ShardSums& sums) {
  Loan loan(*this, shard.count);
  Executor<float>& executor = loan.runner().executor;
  bind(shard, loan.runner());
  executor.bind_parameters(theta, sums.gradient);
  return executor.find_non_finite(loan.runner().inputs.seed());
}

std::int64_t GraphPhase::arena_bytes(std::int64_t count) const {
  const std::unique_ptr<Graph> graph = parts_.build(count);
  return make_plan(*graph, request()).arena_bytes(Precision::f32) + input_bytes(*graph);
}

std::vector<ModuleMemory> GraphPhase::modules(std::int64_t count) const {
  const std::unique_ptr<Graph> graph = parts_.build(count);
  return peak_by_module(*graph, make_plan(*graph, request()));
}

void GraphPhase::recompute(bool on) { recompute_ = on; }

void GraphPhase::convolve_by(Convolution path) {
  Convolution& planned = parts_.numerics.convolution;
  if (planned != Convolution::ordered) planned = path;
}

}  // namespace logpx
