#include "libcore/grad/executor.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/math/repeatable.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

namespace logpx {
namespace {

constexpr int every_parameter = -1;  // for rebind

template <typename T>
struct Extremes {
  T low = std::numeric_limits<T>::infinity(), high = -low;
};

// Extremes of all that a step reads except indices. To be asked before the step runs, since an op
// in place overwrites its input.
template <typename T>
Extremes<T> input_extremes(const Graph& graph, const Node& node, const Frame<T>& frame) {
  Extremes<T> found;
  for (std::size_t i = 0; i < frame.inputs.size(); ++i) {
    const bool index = graph.nodes()[at(node.inputs[i].node)].kind == NodeKind::index_input;
    const auto* from = static_cast<const T*>(frame.inputs[i].data);
    if (index || from == nullptr) continue;
    for (std::int64_t e = 0; e < frame.inputs[i].shape.elements(); ++e) {
      found.low = std::min(found.low, from[e]);
      found.high = std::max(found.high, from[e]);
    }
  }
  return found;
}

// What the op that made an operand reads of each row of its gradient.
std::int64_t read_of_row(const Graph& graph, const NodeInput& operand) {
  const Node& source = graph.nodes()[at(operand.node)];
  const std::int64_t row = operand.shape.back();
  if (!source.op || row != source.shape.back() || (row > 0 && operand.offset % row != 0))
    return row;
  std::vector<Shape> shapes;
  for (const NodeInput& input : source.inputs) shapes.push_back(input.shape);
  return source.op->reads_of_row(shapes, source.shape);
}

// The first number that is not finite in the first `read` ones of rows of `row`; n without any.
template <typename T>
std::ptrdiff_t first_bad(const T* values, std::int64_t n, std::int64_t row, std::int64_t read) {
  for (std::int64_t i = 0; i < n; ++i)
    if (i % row < read && !std::isfinite(values[i])) return i;
  return n;
}

}  // namespace

template <typename T>
Executor<T>::Executor(const Graph& graph, const PlanRequest& request)
    : Executor(graph, request, make_plan(graph, request)) {}

template <typename T>
Executor<T>::Executor(const Graph& graph, const PlanRequest& request, Plan plan)
    : graph_(graph),
      request_(request),
      plan_(std::move(plan)),
      arena_(at(plan_.arena_elements) * sizeof(T)),
      constants_(graph.nodes().size()),
      bound_(graph.nodes().size()) {
  LOGPX_ASSERT((graph.precision() == Precision::f32) == (std::is_same_v<T, float>));
  for (std::size_t id = 0; id < constants_.size(); ++id) {
    const Node& node = graph.nodes()[id];
    if (node.kind != NodeKind::constant) continue;
    for (const double value : node.constant.span()) constants_[id].push_back(static_cast<T>(value));
    bound_[id] = constants_[id].data();
  }
  prepare();
}

template <typename T>
T* Executor<T>::address(int buffer) const {
  if (buffer < 0) return nullptr;
  return reinterpret_cast<T*>(arena_.data()) + plan_.buffers[at(buffer)].offset;
}

template <typename T>
const void* Executor<T>::value_of(const NodeInput& input, int buffer) const {
  const Node& node = graph_.nodes()[at(input.node)];
  if (node.op) return buffer < 0 ? nullptr : address(buffer) + input.offset;
  if (node.kind == NodeKind::parameter)
    return parameters_ == nullptr ? nullptr : parameters_ + node.param_offset + input.offset;
  const void* bound = bound_[at(input.node)];
  if (bound == nullptr) return nullptr;
  if (node.kind == NodeKind::index_input)
    return static_cast<const std::int32_t*>(bound) + input.offset;
  return static_cast<const T*>(bound) + input.offset;
}

template <typename T>
void Executor<T>::prepare() {
  for (const Plan::Step& step : plan_.steps) {
    const Node& node = graph_.nodes()[at(step.node)];
    PreparedStep& prepared = steps_.emplace_back();
    prepared.kind = step.kind;
    prepared.op = node.op.get();
    if (step.kind == Plan::StepKind::zero_gradient) {
      prepared.zero = address(step.output_gradient);
      prepared.zero_elements = node.shape.elements();
      continue;
    }
    Frame<T>& frame = prepared.frame;
    frame.numerics = plan_.numerics;
    frame.output = address(step.output_buffer);
    frame.output_shape = node.shape;
    frame.output_gradient = address(step.output_gradient);
    frame.saved_data = address(step.saved);
    frame.workspace_data = address(step.workspace);
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      const Plan::Operand& operand = step.operands[i];
      typename Frame<T>::Input input;
      input.shape = node.inputs[i].shape;
      input.data = value_of(node.inputs[i], operand.value_buffer);
      if (operand.gradient_buffer >= 0)
        input.gradient = address(operand.gradient_buffer) + node.inputs[i].offset;
      input.accumulate = operand.accumulate;
      input.read = read_of_row(graph_, node.inputs[i]);
      frame.inputs.push_back(input);
    }
  }
}

// Bindings change pointers, never the plan: the frames that look at this node, or at any
// parameter, are told.
template <typename T>
void Executor<T>::rebind(int id) {
  for (std::size_t s = 0; s < steps_.size(); ++s) {
    const Node& node = graph_.nodes()[at(plan_.steps[s].node)];
    if (steps_[s].kind == Plan::StepKind::zero_gradient) {
      if (id != every_parameter || node.kind != NodeKind::parameter) continue;
      steps_[s].zero =
          parameter_gradients_ == nullptr ? nullptr : parameter_gradients_ + node.param_offset;
      steps_[s].zero_elements = parameter_gradients_ == nullptr ? 0 : node.shape.elements();
      continue;
    }
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      const Node& source = graph_.nodes()[at(node.inputs[i].node)];
      const bool parameter = source.kind == NodeKind::parameter;
      if (id == every_parameter ? !parameter : node.inputs[i].node != id) continue;
      typename Frame<T>::Input& input = steps_[s].frame.inputs[i];
      input.data = value_of(node.inputs[i], -1);
      if (parameter && plan_.steps[s].operands[i].wants_gradient)
        input.gradient = parameter_gradients_ == nullptr
                             ? nullptr
                             : parameter_gradients_ + source.param_offset + node.inputs[i].offset;
    }
  }
}

template <typename T>
void Executor<T>::bind(const std::string& name, std::span<const T> values) {
  const int id = graph_.find_input(name);
  const Node& node = graph_.nodes()[at(id)];
  LOGPX_ASSERT(node.kind == NodeKind::input);
  LOGPX_ASSERT(values.size() == at(node.shape.elements()));
  if (bound_[at(id)] == values.data()) return;
  bound_[at(id)] = values.data();
  rebind(id);
}

template <typename T>
void Executor<T>::bind_index(const std::string& name, std::span<const std::int32_t> values) {
  const int id = graph_.find_input(name);
  const Node& node = graph_.nodes()[at(id)];
  LOGPX_ASSERT(node.kind == NodeKind::index_input);
  LOGPX_ASSERT(values.size() == at(node.shape.elements()));
  if (bound_[at(id)] == values.data()) return;
  bound_[at(id)] = values.data();
  rebind(id);
}

template <typename T>
void Executor<T>::bind_parameters(std::span<const T> block) {
  bind_parameters(block, {});
}

template <typename T>
void Executor<T>::bind_parameters(std::span<const T> block, std::span<T> gradients) {
  const BlockRange whole{0, std::ssize(gradients)};
  bind_parameters(block, gradients, std::span(&whole, gradients.empty() ? 0 : 1));
}

template <typename T>
void Executor<T>::bind_parameters(std::span<const T> block, std::span<T> gradients,
                                  std::span<const BlockRange> written) {
  LOGPX_ASSERT(gradients.empty() || gradients.size() == block.size());
  if (parameters_ == block.data() && parameter_gradients_ == gradients.data() &&
      std::ranges::equal(written_, written))
    return;
  parameters_ = block.data();
  parameter_gradients_ = gradients.data();
  find_gaps(written);
  rebind(every_parameter);
}

template <typename T>
void Executor<T>::find_gaps(std::span<const BlockRange> written) {
  written_.assign(written.begin(), written.end());
  gaps_.clear();
  auto next = plan_.parameter_gradients.begin();
  for (const BlockRange& range : written) {
    std::int64_t end = range.begin;
    for (; next != plan_.parameter_gradients.end() && next->first < range.end; ++next) {
      LOGPX_ASSERT(next->first >= end);
      if (next->first > end) gaps_.push_back({end, next->first});
      end = next->first + next->second;
    }
    if (range.end > end) gaps_.push_back({end, range.end});
  }
  LOGPX_ASSERT(written.empty() || next == plan_.parameter_gradients.end());
}

template <typename T>
void Executor<T>::run_step(const PreparedStep& step) const {
  switch (step.kind) {
    case Plan::StepKind::forward:
    case Plan::StepKind::recompute: step.op->run_forward(step.frame); break;
    case Plan::StepKind::backward: step.op->run_backward(step.frame); break;
    case Plan::StepKind::zero_gradient: std::fill_n(step.zero, step.zero_elements, T(0)); break;
  }
}

template <typename T>
void Executor<T>::run_steps(std::size_t begin, std::size_t end) const {
  const auto all = [&] {
    for (std::size_t s = begin; s < end; ++s) run_step(steps_[s]);
  };
  if (plan_.numerics.functions == Functions::fast) return all();
  const RepeatableFunctions repeatable;
  all();
}

template <typename T>
void Executor<T>::forward() {
  if (request_.reuse == Reuse::nothing) {
    T* arena = reinterpret_cast<T*>(arena_.data());
    std::fill_n(arena, plan_.arena_elements, std::numeric_limits<T>::quiet_NaN());
  }
  run_steps(0, at(plan_.backward_begin));
  can_go_back_ = true;
}

// The gradient of `from`, which may be a view of a node: the rest of the node gets zeros.
template <typename T>
std::span<T> Executor<T>::begin_seed() const {
  LOGPX_ASSERT(plan_.seed_buffer >= 0);
  const NodeInput& from = graph_.outputs()[at(graph_.find_output(request_.from))].value;
  T* const whole = address(plan_.seed_buffer);
  std::fill_n(whole, plan_.buffers[at(plan_.seed_buffer)].elements, T(0));
  return {whole + from.offset, at(from.shape.elements())};
}

template <typename T>
void Executor<T>::clear_gaps() const {
  for (const BlockRange& gap : gaps_)
    std::fill(parameter_gradients_ + gap.begin, parameter_gradients_ + gap.end, T(0));
}

template <typename T>
void Executor<T>::run_backward() {
  LOGPX_ASSERT(can_go_back_);
  can_go_back_ = false;
  clear_gaps();
  run_steps(at(plan_.backward_begin), steps_.size());
}

template <typename T>
void Executor<T>::start_from(std::span<const T> weights) {
  const std::span<T> seed = begin_seed();
  LOGPX_ASSERT(weights.empty() || weights.size() == seed.size());
  if (weights.empty()) std::ranges::fill(seed, T(1));
  else std::ranges::copy(weights, seed.begin());
}

template <typename T>
void Executor<T>::backward() {
  start_from({});
  run_backward();
}

template <typename T>
void Executor<T>::backward(std::span<const T> weights) {
  LOGPX_ASSERT(!weights.empty());
  start_from(weights);
  run_backward();
}

template <typename T>
View<const T> Executor<T>::output(const std::string& name) const {
  const int index = graph_.find_output(name);
  const NodeInput& value = graph_.outputs()[at(index)].value;
  return {static_cast<const T*>(value_of(value, plan_.output_buffers[at(index)])), value.shape};
}

template <typename T>
View<const T> Executor<T>::gradient(const std::string& input) const {
  for (std::size_t i = 0; i < request_.inputs.size(); ++i)
    if (request_.inputs[i] == input)
      return {address(plan_.input_gradient_buffers[i]),
              graph_.nodes()[at(graph_.find_input(input))].shape};
  fail(ErrorKind::usage, "graph", "no gradient of input " + input + " was asked for");
}

template <typename T>
std::int64_t Executor<T>::arena_bytes() const {
  return plan_.arena_bytes(graph_.precision());
}

template <typename T>
std::string Executor<T>::finite_trouble(std::size_t s) const {
  const PreparedStep& step = steps_[s];
  const Frame<T>& frame = step.frame;
  const bool backward = step.kind == Plan::StepKind::backward;
  std::ptrdiff_t bad = frame.output_shape.elements();
  const T* values = frame.output;
  if (!backward) bad = first_bad(values, frame.output_shape.elements(), 1, 1);
  bool found = bad < frame.output_shape.elements();
  for (std::size_t i = 0; backward && !found && i < frame.inputs.size(); ++i) {
    values = frame.inputs[i].gradient;
    if (values == nullptr) continue;
    const Shape& shape = frame.inputs[i].shape;
    bad = first_bad(values, shape.elements(), shape.back(), frame.inputs[i].read);
    found = bad < shape.elements();
  }
  if (!found) return "";
  return graph_.nodes()[at(plan_.steps[s].node)].path + (backward ? " (gradient)" : "") + ": " +
         std::to_string(values[bad]) + " at element " + std::to_string(bad);
}

template <typename T>
std::string Executor<T>::find_non_finite(std::span<const T> seed) {
  can_go_back_ = false;
  for (std::size_t s = 0; s < steps_.size(); ++s) {
    if (s == at(plan_.backward_begin) && plan_.seed_buffer >= 0) start_from(seed);
    const Node& node = graph_.nodes()[at(plan_.steps[s].node)];
    const Extremes<T> read = input_extremes(graph_, node, steps_[s].frame);
    run_steps(s, s + 1);
    if (steps_[s].kind == Plan::StepKind::zero_gradient) continue;
    const std::string trouble = finite_trouble(s);
    if (trouble.empty()) continue;
    if (read.low > read.high) return trouble;  // it reads nothing that is still there
    return trouble + "; inputs between " + four_digits(static_cast<double>(read.low)) + " and " +
           four_digits(static_cast<double>(read.high));
  }
  return "";
}

template class Executor<float>;
template class Executor<double>;

}  // namespace logpx
