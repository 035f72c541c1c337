// What can be pruned from a model with a prior of energies: components of a mixture that are hardly
// ever drawn, energies that are nearly flat, edges and nodes of the layers behind them.
// [eval/README 8.2]
//
//   const Pruning pruning = plan_pruning(*can.prior, {}, rng);
//   const std::unique_ptr<Model> smaller = can.prior->changed(pruning.changes);
#pragma once

#include "libcore/model/prior.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace logpx {

class Fields;

struct PruningOptions {
  double edge = 0.03;           // edges go whose mean |phi| under the prior is below it
  double node = 0.01;           // nodes go whose largest such mean, in or out, is below it
  double alpha = 0.01;          // components go whose weight is below it
  double flat = 1e-3;           // energies become 0 whose range is below it
  std::int64_t samples = 1000;  // prior samples that measure the edges of layers
  void describe(Fields& fields);
};

struct Pruning {
  PriorChanges changes;
  std::int64_t energies = 0, components = 0;  // before pruning
  // For one layer: how many edges there were and how many go; the same for the nodes that it leads
  // to.
  struct Layer {
    std::string name;
    std::int64_t edges = 0, gone = 0, nodes = 0, nodes_gone = 0;
  };
  std::vector<Layer> layers;

  [[nodiscard]] bool is_empty() const;
};
// Energies that are 0 already do not count. At least the heaviest component of every mixture
// stays.
[[nodiscard]] Pruning plan_pruning(const ModelPrior& prior, const PruningOptions& options, Rng rng);

// The root mean square difference of the two decoded means, over prior samples of the first model
// and dims of x.
[[nodiscard]] double decoded_change(const ModelPrior& of, const ModelPrior& in,
                                    std::int64_t samples, Rng rng);

}  // namespace logpx
