// What of a model with a prior of energies can go: components of a mixture that are hardly drawn,
// energies that hardly say anything, edges and nodes of the layers behind them.
// [eval/README 8.2]
//
//   const Pruning pruning = plan_pruning(*model.prior(), {}, rng);
//   const std::unique_ptr<Model> smaller = model.prior()->changed(pruning.changes);
#pragma once

#include "libcore/model/prior.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace logpx {

class Fields;

struct PruningOptions {
  double edge = 0.03;           // of the mean of |phi| under the prior: an edge below it goes
  double node = 0.01;           // of the largest such mean among the edges to a node, or from it
  double alpha = 0.01;          // of a weight in a mixture
  double flat = 1e-3;           // of the range of an energy over its domain
  std::int64_t samples = 1000;  // of the prior, that edges of layers are measured with
  void describe(Fields& fields);
};

struct Pruning {
  PriorChanges changes;
  std::int64_t energies = 0, components = 0;  // that there were, before anything went
  // Of one layer: how many edges there were and how many go; and how many of the nodes that it
  // leads to.
  struct Layer {
    std::string name;
    std::int64_t edges = 0, gone = 0, nodes = 0, nodes_gone = 0;
  };
  std::vector<Layer> layers;

  [[nodiscard]] bool is_empty() const;
};
// Energies that are 0 already are not counted among those that go. Of every mixture at least the
// heaviest component stays.
[[nodiscard]] Pruning plan_pruning(const ModelPrior& prior, const PruningOptions& options, Rng rng);

// The root mean square, over prior samples of the first and dims of x, of how far the two decoded
// means are apart.
[[nodiscard]] double decoded_change(const ModelPrior& of, const ModelPrior& in,
                                    std::int64_t samples, Rng rng);

}  // namespace logpx
