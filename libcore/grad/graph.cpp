#include "libcore/grad/graph.hpp"

#include "libcore/base/error.hpp"

namespace logpx {
namespace {

NodeInput input_of(const Var& value) { return {value.node(), value.offset(), value.shape()}; }

}  // namespace

Var Var::reshape(Shape shape) const {
  if (shape.elements() != shape_.elements())
    fail(ErrorKind::usage, graph_->nodes()[static_cast<std::size_t>(node_)].path + "/reshape",
         shape_.text() + " to " + shape.text() + ": " + std::to_string(shape_.elements()) + " vs " +
             std::to_string(shape.elements()) + " elements");
  return {*graph_, node_, shape, offset_};
}

Var Var::rows(std::int64_t begin, std::int64_t end) const {
  LOGPX_ASSERT(shape_.rank() >= 1 && 0 <= begin && begin <= end && end <= shape_[0]);
  const std::int64_t row = shape_[0] == 0 ? 0 : shape_.elements() / shape_[0];
  Shape part = shape_;
  part[0] = end - begin;
  return {*graph_, node_, part, offset_ + begin * row};
}

Var Graph::add(Node node) {
  node.region = node.kind == NodeKind::op ? region_ : -1;
  nodes_.push_back(std::move(node));
  return {*this, static_cast<int>(nodes_.size()) - 1, nodes_.back().shape};
}

Var Graph::input(std::string name, Shape shape) {
  Node node;
  node.kind = NodeKind::input;
  node.path = std::move(name);
  node.shape = shape;
  return add(std::move(node));
}

Var Graph::index_input(std::string name, Shape shape) {
  Node node;
  node.kind = NodeKind::index_input;
  node.path = std::move(name);
  node.shape = shape;
  return add(std::move(node));
}

Var Graph::parameter(const ParamSet& params, int index) {
  const ParamInfo& info = params.infos()[static_cast<std::size_t>(index)];
  Node node;
  node.kind = NodeKind::parameter;
  node.path = info.name;
  node.shape = info.shape;
  node.param_offset = info.offset;
  return add(std::move(node));
}

Var Graph::constant(const Tensor<double>& values) {
  Node node;
  node.kind = NodeKind::constant;
  node.path = path_ + "constant";
  node.shape = values.shape();
  node.constant = values;
  return add(std::move(node));
}

Var Graph::constant(double value) {
  Tensor<double> scalar{Shape{}};
  scalar[0] = value;
  return constant(scalar);
}

Var Graph::apply(std::unique_ptr<Op> op, const std::vector<Var>& inputs) {
  Node node;
  node.path = path_ + op->name();
  std::vector<Shape> shapes;
  for (const Var& input : inputs) {
    LOGPX_ASSERT(&input.graph() == this);
    shapes.push_back(input.shape());
    node.inputs.push_back(input_of(input));
  }
  try {
    node.shape = op->infer(shapes);
  } catch (const Error& error) {
    throw error.within(node.path);
  }
  node.op = std::move(op);
  return add(std::move(node));
}

void Graph::output(std::string name, Var value) {
  outputs_.push_back({std::move(name), input_of(value)});
}

int Graph::find_input(const std::string& name) const {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const bool input = nodes_[i].kind == NodeKind::input || nodes_[i].kind == NodeKind::index_input;
    if (input && nodes_[i].path == name) return static_cast<int>(i);
  }
  fail(ErrorKind::usage, "graph", "has no input " + name);
}

int Graph::find_output(const std::string& name) const {
  for (std::size_t i = 0; i < outputs_.size(); ++i)
    if (outputs_[i].name == name) return static_cast<int>(i);
  fail(ErrorKind::usage, "graph", "has no output " + name);
}

Graph::Scope::Scope(Graph& graph, const std::string& name)
    : graph_(graph), length_(graph.path_.size()) {
  graph.path_ += name + '/';
}
Graph::Scope::~Scope() { graph_.path_.resize(length_); }

Graph::Recompute::Recompute(Graph& graph) : graph_(graph) {
  LOGPX_ASSERT(graph.region_ < 0);
  graph.region_ = graph.regions_++;
}
Graph::Recompute::~Recompute() { graph_.region_ = -1; }

}  // namespace logpx
