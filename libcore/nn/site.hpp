// Where a layer puts its tensors: a path in a ParamSet, and the list of how they start.
//
// Every layer follows one pattern. Its constructor takes a Site and adds tensors, in order; calling
// it adds nodes to the graph of its argument, under the layer's path:
//
//   ParamSet params;
//   Initialisers initialisers;
//   const Site model(params, initialisers);
//   const Linear hidden(model / "hidden", 784, 500, {.activation = Activation::tanh});
//   const Linear out(model / "out", 500, 10);
//   initialisers.run(params, rng);
//
//   Graph graph;
//   const Var logits = out(params, hidden(params, graph.input("x", {100, 784})));
#pragma once

#include "libcore/grad/graph.hpp"
#include "libcore/nn/init.hpp"

#include <optional>
#include <string>

namespace logpx {

class Site {
 public:
  Site(ParamSet& params, Initialisers& initialisers)
      : params_(&params), initialisers_(&initialisers) {}

  // A step down; "" stays where it is, for a part whose tensors lie beside those of the whole.
  [[nodiscard]] Site operator/(const std::string& step) const {
    Site below = *this;
    if (!step.empty()) below.path_ += (path_.empty() ? "" : "/") + step;
    below.step_ = step;
    return below;
  }
  int tensor(const std::string& name, Shape shape, Init init, Fans fans = {}) const {
    const int index = add(name, shape);
    initialisers_->add(index, init, fans);
    return index;
  }
  int tensor(const std::string& name, Shape shape, Filling filling) const {
    const int index = add(name, shape);
    initialisers_->add(index, std::move(filling));
    return index;
  }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const std::string& step() const { return step_; }  // the last one

 private:
  int add(const std::string& name, Shape shape) const {
    return params_->add(path_.empty() ? name : path_ + "/" + name, shape);
  }

  ParamSet* params_;
  Initialisers* initialisers_;
  std::string path_, step_;
};

// The scope of a layer's nodes.
class LayerScope {
 public:
  LayerScope(const Var& x, const std::string& step) {
    if (!step.empty()) scope_.emplace(x.graph(), step);
  }

 private:
  std::optional<Graph::Scope> scope_;
};

}  // namespace logpx
