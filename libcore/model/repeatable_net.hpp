// A graph for the entropy coder: any network that training built from the ops of libcore/grad, run
// with ordered products and the functions of libcore/det, so that it gives the same bits on every
// machine and for every batch.   [spec/coding.md section 1]
//
//   const RepeatableNet net(model.param_set(), [&](Graph& graph, std::int64_t rows) {
//     graph.output("mean", encoder(graph.input("x", {rows, 784})));
//   });
//   net.run({{"x", pixels}}, rows, [&](const Executor<float>& done) {
//     ... done.output("mean") ...
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

 private:
  const ParamSet& params_;
  mutable ExecutorPool executors_;
};

}  // namespace logpx
