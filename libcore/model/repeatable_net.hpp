// A network for the entropy coder: any graph that training built from the ops of libcore/grad, run
// with ordered products and the functions of libcore/det, so that it gives the same bits on every
// machine and for every batch.   [det/README 2]
//
//   const RepeatableNet net(params, [&](Graph& graph, std::int64_t rows) {
//     graph.output("mean", encoder(graph.input("x", {rows, 784})));
//   });
//   net.run({{"x", pixels}}, rows, [&](const Executor<float>& done) {
//     const std::span<const float> seen = done.output("mean").span();
//     std::copy(seen.begin(), seen.end(), mean.begin());
//   });
#pragma once

#include "libcore/grad/executor_pool.hpp"
#include "libcore/grad/params.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace logpx {

class RepeatableNet {
 public:
  using Build = std::function<void(Graph& graph, std::int64_t rows)>;
  RepeatableNet(const ParamSet& params, Build build);

  using Inputs = std::vector<std::pair<std::string, std::span<const float>>>;
  using Use = std::function<void(const Executor<float>& done)>;
  // From any thread. A numeric error when an output is not finite.
  void run(const Inputs& inputs, std::int64_t rows, const Use& use) const;
  // A copy of every output, in the order in which they were named.
  [[nodiscard]] std::vector<std::vector<float>> outputs(const Inputs& inputs,
                                                        std::int64_t rows) const;

 private:
  const ParamSet& params_;
  mutable ExecutorPool executors_;
};

// Names nodes that are read together as outputs: the heads of a likelihood.
void name_outputs(Graph& graph, const std::vector<Var>& nodes);

}  // namespace logpx
