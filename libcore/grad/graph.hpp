// A static graph with reverse-mode gradients. It is built and planned once per (model, shapes,
// mode), and then replayed.
//
//   ParamSet params;                                             // a two-layer network
//   const int w1 = params.add("hidden/w", {784, 500}), b1 = params.add("hidden/b", {500});
//   const int w2 = params.add("out/w", {500, 10}), b2 = params.add("out/b", {10});
//
//   Graph graph;
//   const Var x = graph.input("x", {100, 784});
//   const Var y = graph.index_input("y", {100});
//   const Var hidden = linear(x, graph.parameter(params, w1), graph.parameter(params, b1),
//                             Activation::tanh);
//   const Var logits = linear(hidden, graph.parameter(params, w2), graph.parameter(params, b2));
//   graph.output("loss", -mean(categorical_log_prob(logits, y)));
//
//   Executor<float> run(graph, {.from = "loss", .parameters = true});
//   run.bind("x", images);  run.bind_index("y", labels);
//   run.bind_parameters(params.block(), gradients);  // two blocks of one length
//   run.forward();          // run.output("loss")
//   run.backward();         // writes all of `gradients`
//
// There is no other state: the same bindings give the same bytes, whatever ran before.
// [math/README 4]
#pragma once

#include "libcore/grad/op.hpp"
#include "libcore/grad/params.hpp"
#include "libcore/math/tensor.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace logpx {

class Graph;

// A value of a graph: a node, or a view of one (reshaped, or rows of its leading dimension).
class Var {
 public:
  Var(Graph& graph, int node, Shape shape, std::int64_t offset = 0)
      : graph_(&graph), node_(node), shape_(shape), offset_(offset) {}

  [[nodiscard]] Graph& graph() const { return *graph_; }
  [[nodiscard]] int node() const { return node_; }
  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] std::int64_t offset() const { return offset_; }  // in elements of the node

  // Both are free: no node, no copy.
  [[nodiscard]] Var reshape(Shape shape) const;
  [[nodiscard]] Var rows(std::int64_t begin, std::int64_t end) const;

 private:
  Graph* graph_;
  int node_;
  Shape shape_;
  std::int64_t offset_;
};

enum class NodeKind { input, index_input, parameter, constant, op };

struct NodeInput {
  int node = 0;
  std::int64_t offset = 0;
  Shape shape;
};

struct Node {
  NodeKind kind = NodeKind::op;
  std::string path;  // "encoder/hidden/linear", or the name of an input
  Shape shape;
  std::unique_ptr<Op> op;
  std::vector<NodeInput> inputs;
  std::int64_t param_offset = 0;  // parameters: where in the block
  Tensor<double> constant;        // constants
  int region = -1;                // recomputed in backward when >= 0
};

class Graph {
 public:
  explicit Graph(Precision precision = Precision::f32) : precision_(precision) {}
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  [[nodiscard]] Var input(std::string name, Shape shape);
  [[nodiscard]] Var index_input(std::string name, Shape shape);  // std::int32_t
  [[nodiscard]] Var parameter(const ParamSet& params, int index);
  [[nodiscard]] Var constant(const Tensor<double>& values);
  [[nodiscard]] Var constant(double value);
  // A shape misfit is a usage error that names the layer path and both shapes.
  [[nodiscard]] Var apply(std::unique_ptr<Op> op, const std::vector<Var>& inputs);
  void output(std::string name, Var value);

  // Layer paths: nodes made while it lives have its name in their path.
  class Scope {
   public:
    Scope(Graph& graph, const std::string& name);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Graph& graph_;
    std::size_t length_;
  };
  // Nodes made while it lives keep only what enters them and are computed again in backward, when
  // the plan asks for that. Regions do not nest.
  class Recompute {
   public:
    explicit Recompute(Graph& graph);
    ~Recompute();
    Recompute(const Recompute&) = delete;
    Recompute& operator=(const Recompute&) = delete;

   private:
    Graph& graph_;
  };

  struct Output {
    std::string name;
    NodeInput value;
  };
  [[nodiscard]] Precision precision() const { return precision_; }
  [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }
  [[nodiscard]] const std::vector<Output>& outputs() const { return outputs_; }
  [[nodiscard]] int find_input(const std::string& name) const;   // asserts that it is there
  [[nodiscard]] int find_output(const std::string& name) const;  // index into outputs()

 private:
  Var add(Node node);
  Precision precision_;
  std::vector<Node> nodes_;
  std::vector<Output> outputs_;
  std::string path_;
  int region_ = -1, regions_ = 0;
};

}  // namespace logpx
