#include "libcore/grad/plan.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>

namespace logpx {
namespace {

constexpr std::int64_t alignment = 16;

std::int64_t padded(std::int64_t elements) {
  return (elements + alignment - 1) / alignment * alignment;
}

bool overlap(const Plan::Buffer& a, const Plan::Buffer& b) {
  return a.first <= b.last && b.first <= a.last;
}

// The smallest gap that holds `size` among the occupied stretches, else the end.
std::int64_t best_gap(std::vector<std::pair<std::int64_t, std::int64_t>>& occupied,
                      std::int64_t size) {
  std::sort(occupied.begin(), occupied.end());
  std::int64_t best = -1, best_size = std::numeric_limits<std::int64_t>::max(), end = 0;
  for (const auto& [begin, stop] : occupied) {
    const std::int64_t gap = begin - end;
    if (gap >= size && gap < best_size) {
      best = end;
      best_size = gap;
    }
    end = std::max(end, stop);
  }
  return best >= 0 ? best : end;
}

// Where the buffers of a plan lie: best fit over lifetimes, largest first. Sets the offsets, in
// elements, each a multiple of 16 (64 bytes in float).
void place_buffers(std::vector<Plan::Buffer>& buffers, Reuse reuse) {
  std::vector<std::size_t> order(buffers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return buffers[a].elements > buffers[b].elements;
  });
  std::vector<std::size_t> placed;
  std::int64_t end = 0;
  for (const std::size_t index : order) {
    Plan::Buffer& buffer = buffers[index];
    const std::int64_t size = padded(buffer.elements);
    if (reuse == Reuse::nothing) {
      buffer.offset = end;
      end += size;
      continue;
    }
    std::vector<std::pair<std::int64_t, std::int64_t>> occupied;
    for (const std::size_t other : placed)
      if (overlap(buffers[other], buffer))
        occupied.emplace_back(buffers[other].offset,
                              buffers[other].offset + padded(buffers[other].elements));
    buffer.offset = best_gap(occupied, size);
    if (size > 0) placed.push_back(index);
  }
}

class Planner {
 public:
  Planner(const Graph& graph, const PlanRequest& request)
      : graph_(graph), nodes_(graph.nodes()), request_(request), states_(nodes_.size()) {}

  Plan run() {
    plan_.numerics = request_.numerics;
    Convolution& path = plan_.numerics.convolution;
    if (graph_.precision() == Precision::f64 && path != Convolution::ordered)
      path = Convolution::im2col;  // oneDNN computes float32
    mark_live();
    if (!request_.from.empty()) mark_differentiable();
    for (int id = 0; id < count(); ++id)
      if (states_[at(id)].live && nodes_[at(id)].op) add_forward(id, Plan::StepKind::forward);
    plan_.backward_begin = static_cast<int>(plan_.steps.size());
    if (!request_.from.empty()) add_backward();
    extend_to_the_end();
    share_in_place();
    place_buffers(plan_.buffers, request_.reuse);
    for (const Plan::Buffer& buffer : plan_.buffers)
      plan_.arena_elements = std::max(plan_.arena_elements, buffer.offset + buffer.elements);
    return std::move(plan_);
  }

 private:
  struct State {
    bool live = false, wanted = false, gradient = false, partial_views = false;
    bool recomputed = false;  // a second instance of its value is made in backward
    int value = -1, saved = -1;
    int value_again = -1, saved_again = -1;
    int gradient_buffer = -1;
    bool gradient_begun = false;
  };

  [[nodiscard]] int count() const { return static_cast<int>(nodes_.size()); }
  [[nodiscard]] int now() const { return static_cast<int>(plan_.steps.size()); }

  void mark_live() {
    for (const Graph::Output& output : graph_.outputs()) states_[at(output.value.node)].live = true;
    for (int id = count(); id-- > 0;)
      if (states_[at(id)].live)
        for (const NodeInput& input : nodes_[at(id)].inputs) states_[at(input.node)].live = true;
  }

  void mark_differentiable() {
    for (const std::string& name : request_.inputs)
      states_[at(graph_.find_input(name))].wanted = true;
    for (int id = 0; id < count(); ++id) {
      const Node& node = nodes_[at(id)];
      State& state = states_[at(id)];
      if (node.kind == NodeKind::parameter)
        state.wanted = request_.parameters && lies_under_any(node.path, request_.written);
      state.gradient = state.wanted;
      if (node.op && node.op->differentiable())
        for (const NodeInput& input : node.inputs)
          state.gradient = state.gradient || states_[at(input.node)].gradient;
    }
    // Only what `from` depends on.
    std::vector<bool> reached(nodes_.size());
    reached[at(from_node())] = true;
    for (int id = count(); id-- > 0;) {
      if (!reached[at(id)]) states_[at(id)].gradient = false;
      if (!states_[at(id)].gradient) continue;
      const std::vector<NodeInput>& inputs = nodes_[at(id)].inputs;
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        State& source = states_[at(inputs[i].node)];
        reached[at(inputs[i].node)] = true;
        // Two operands that write the same gradient, in whatever order, add to zeros as well.
        for (std::size_t j = 0; j < i; ++j)
          if (same_gradient(inputs[j].node, inputs[i].node)) source.partial_views = true;
        if (inputs[i].shape.elements() != nodes_[at(inputs[i].node)].shape.elements())
          source.partial_views = true;
      }
    }
    if (request_.recompute) mark_recomputed();
  }

  // A parameter may have several nodes.
  [[nodiscard]] bool same_gradient(int a, int b) const {
    const Node &first = nodes_[at(a)], &second = nodes_[at(b)];
    return a == b || (first.kind == NodeKind::parameter && second.kind == NodeKind::parameter &&
                      first.param_offset == second.param_offset);
  }

  [[nodiscard]] int from_node() const {
    return graph_.outputs()[at(graph_.find_output(request_.from))].value.node;
  }

  // Inside a region: whatever its backward reads, and what is needed to compute that again.
  void mark_recomputed() {
    for (int id = count(); id-- > 0;) {
      const Node& node = nodes_[at(id)];
      State& state = states_[at(id)];
      if (node.region < 0 || !node.op) continue;
      if (state.gradient) {
        const Keeps keeps = node.op->keeps();
        if (keeps.output || scratch_of(node).saved > 0) state.recomputed = true;
        for (std::size_t i = 0; i < node.inputs.size(); ++i)
          if ((keeps.inputs >> i & 1) != 0) recompute_if_inside(node.inputs[i].node, node.region);
      }
      if (state.recomputed)
        for (const NodeInput& input : node.inputs) recompute_if_inside(input.node, node.region);
    }
  }

  void recompute_if_inside(int id, int region) {
    if (nodes_[at(id)].region == region) states_[at(id)].recomputed = true;
  }

  [[nodiscard]] static std::vector<Shape> shapes_of(const Node& node) {
    std::vector<Shape> shapes;
    for (const NodeInput& input : node.inputs) shapes.push_back(input.shape);
    return shapes;
  }
  [[nodiscard]] Scratch scratch_of(const Node& node) const {
    return node.op->scratch(shapes_of(node), node.shape, plan_.numerics);
  }

  int new_buffer(std::int64_t elements, int node) {
    plan_.buffers.push_back({elements, now(), now(), 0, node});
    return static_cast<int>(plan_.buffers.size()) - 1;
  }

  int use(int buffer) {
    if (buffer >= 0)
      plan_.buffers[at(buffer)].last = std::max(plan_.buffers[at(buffer)].last, now());
    return buffer;
  }

  void add_forward(int id, Plan::StepKind kind) {
    const Node& node = nodes_[at(id)];
    State& state = states_[at(id)];
    const bool again = kind == Plan::StepKind::recompute;
    Plan::Step step;
    step.kind = kind;
    step.node = id;
    for (const NodeInput& input : node.inputs) {
      const State& from = states_[at(input.node)];
      const bool inside = again && nodes_[at(input.node)].region == node.region;
      step.operands.push_back({.value_buffer = use(inside ? from.value_again : from.value)});
    }
    const Scratch scratch = scratch_of(node);
    if (scratch.saved > 0) step.saved = new_buffer(scratch.saved, id);
    if (scratch.workspace > 0) step.workspace = new_buffer(scratch.workspace, id);
    step.output_buffer = new_buffer(node.shape.elements(), id);
    (again ? state.saved_again : state.saved) = step.saved;
    (again ? state.value_again : state.value) = step.output_buffer;
    plan_.steps.push_back(std::move(step));
  }

  void add_backward() {
    const int from = from_node();
    if (!states_[at(from)].gradient)
      fail(ErrorKind::usage, request_.from, "does not depend on anything whose gradient is wanted");
    plan_.seed_buffer = states_[at(from)].gradient_buffer =
        new_buffer(nodes_[at(from)].shape.elements(), from);
    states_[at(from)].gradient_begun = true;
    std::vector<bool> region_done(nodes_.size());
    for (int id = count(); id-- > 0;) {
      const Node& node = nodes_[at(id)];
      if (!states_[at(id)].gradient || !node.op) continue;
      if (request_.recompute && node.region >= 0 && !region_done[at(node.region)]) {
        region_done[at(node.region)] = true;
        for (int other = 0; other <= id; ++other)
          if (nodes_[at(other)].region == node.region && states_[at(other)].recomputed)
            add_forward(other, Plan::StepKind::recompute);
      }
      add_backward_step(id);
    }
    for (const std::string& name : request_.inputs)
      plan_.input_gradient_buffers.push_back(states_[at(graph_.find_input(name))].gradient_buffer);
  }

  void add_backward_step(int id) {
    const Node& node = nodes_[at(id)];
    State& state = states_[at(id)];
    const Keeps keeps = node.op->keeps();
    for (const NodeInput& input : node.inputs) begin_partial_gradient(input.node);
    Plan::Step step;
    step.kind = Plan::StepKind::backward;
    step.node = id;
    const bool inside = request_.recompute && node.region >= 0;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      const int source = node.inputs[i].node;
      State& from = states_[at(source)];
      Plan::Operand operand;
      if ((keeps.inputs >> i & 1) != 0) {
        const bool again = inside && nodes_[at(source)].region == node.region;
        operand.value_buffer = use(again ? from.value_again : from.value);
      }
      if (from.gradient) add_gradient_operand(source, operand);
      step.operands.push_back(operand);
    }
    if (keeps.output) step.output_buffer = use(inside ? state.value_again : state.value);
    step.saved = use(inside ? state.saved_again : state.saved);
    step.output_gradient = use(state.gradient_buffer);
    const Scratch scratch = scratch_of(node);
    if (scratch.workspace > 0) step.workspace = new_buffer(scratch.workspace, id);
    plan_.steps.push_back(std::move(step));
  }

  void add_gradient_operand(int source, Plan::Operand& operand) {
    State& from = states_[at(source)];
    operand.wants_gradient = true;
    if (const Node& node = nodes_[at(source)]; node.kind == NodeKind::parameter) {
      operand.accumulate = !begin_parameter(node);
      return;
    }
    if (from.gradient_buffer < 0)
      from.gradient_buffer = new_buffer(nodes_[at(source)].shape.elements(), source);
    operand.gradient_buffer = use(from.gradient_buffer);
    operand.accumulate = from.gradient_begun;
    from.gradient_begun = true;
  }

  // Whether nothing has written the gradient of this parameter.
  bool begin_parameter(const Node& node) {
    return plan_.parameter_gradients.emplace(node.param_offset, node.shape.elements()).second;
  }

  // Where operands write parts of a gradient, it starts as zeros.
  void begin_partial_gradient(int source) {
    State& from = states_[at(source)];
    if (!from.gradient || !from.partial_views || from.gradient_begun) return;
    from.gradient_begun = true;
    Plan::Step step;
    step.kind = Plan::StepKind::zero_gradient;
    step.node = source;
    if (const Node& node = nodes_[at(source)]; node.kind == NodeKind::parameter) {
      if (!begin_parameter(node)) return;
    } else {
      step.output_gradient = from.gradient_buffer = new_buffer(node.shape.elements(), source);
    }
    plan_.steps.push_back(std::move(step));
  }

  void extend_to_the_end() {
    for (const Graph::Output& output : graph_.outputs())
      plan_.output_buffers.push_back(use(states_[at(output.value.node)].value));
    for (const int buffer : plan_.input_gradient_buffers) use(buffer);
  }

  // An op that may write over its first input does so when that input dies there.
  void share_in_place() {
    if (request_.reuse == Reuse::nothing) return;
    std::vector<int> renamed(plan_.buffers.size());
    for (std::size_t i = 0; i < renamed.size(); ++i) renamed[i] = static_cast<int>(i);
    for (int index = 0; index < now(); ++index) {
      const Plan::Step& step = plan_.steps[at(index)];
      if (step.kind == Plan::StepKind::backward || step.kind == Plan::StepKind::zero_gradient ||
          !nodes_[at(step.node)].op->in_place())
        continue;
      const NodeInput& first = nodes_[at(step.node)].inputs[0];
      const int from = step.operands[0].value_buffer;
      if (from < 0 || first.offset != 0 ||
          first.shape.elements() != nodes_[at(first.node)].shape.elements() ||
          first.shape.elements() != nodes_[at(step.node)].shape.elements())
        continue;
      bool once = true;  // x * x reads the dying input twice
      for (std::size_t i = 1; i < step.operands.size(); ++i)
        once = once && step.operands[i].value_buffer != from;
      Plan::Buffer& kept = plan_.buffers[at(renamed[at(from)])];
      Plan::Buffer& gone = plan_.buffers[at(step.output_buffer)];
      if (!once || kept.last != index) continue;
      kept.last = gone.last;
      gone.elements = 0;
      renamed[at(step.output_buffer)] = renamed[at(from)];
    }
    const auto rename = [&](int& buffer) {
      if (buffer >= 0) buffer = renamed[at(buffer)];
    };
    for (Plan::Step& step : plan_.steps) {
      for (Plan::Operand& operand : step.operands) rename(operand.value_buffer);
      rename(step.output_buffer);
    }
    for (int& buffer : plan_.output_buffers) rename(buffer);
  }

  const Graph& graph_;
  const std::vector<Node>& nodes_;
  const PlanRequest& request_;
  std::vector<State> states_;
  Plan plan_;
};

}  // namespace

std::int64_t Plan::arena_bytes(Precision precision) const {
  return arena_elements * (precision == Precision::f32 ? 4 : 8);
}

Plan make_plan(const Graph& graph, const PlanRequest& request) {
  return Planner(graph, request).run();
}

std::vector<ModuleMemory> peak_by_module(const Graph& graph, const Plan& plan) {
  const std::int64_t element = graph.precision() == Precision::f32 ? 4 : 8;
  const auto alive = [&](int step) {
    std::int64_t sum = 0;
    for (const Plan::Buffer& buffer : plan.buffers)
      if (buffer.first <= step && step <= buffer.last) sum += buffer.elements;
    return sum;
  };
  int peak = 0;
  for (int step = 1; step < static_cast<int>(plan.steps.size()); ++step)
    if (alive(step) > alive(peak)) peak = step;
  std::map<std::string, std::int64_t> sums;
  for (const Plan::Buffer& buffer : plan.buffers) {
    if (buffer.first > peak || peak > buffer.last) continue;
    const std::string& path = graph.nodes()[at(buffer.node)].path;
    sums[path.substr(0, path.find('/'))] += buffer.elements * element;
  }
  std::vector<ModuleMemory> modules;
  for (const auto& [name, bytes] : sums) modules.push_back({name, bytes});
  std::sort(modules.begin(), modules.end(),
            [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
  return modules;
}

}  // namespace logpx
