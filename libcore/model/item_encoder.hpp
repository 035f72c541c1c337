// q(z|x) of items as the entropy coder takes it: an encoder's network with repeatable numbers.
// [codec/README 4.2]
//
//   const ItemEncoder encoder(params, build, {.places = places, .dims = 784, .latents = 20});
//   encoder.posterior(items, mean, log_var);
#pragma once

#include "libcore/data/row_values.hpp"
#include "libcore/grad/executor_pool.hpp"
#include "libcore/grad/params.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace logpx {

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

class ItemEncoder {
 public:
  struct Form {
    ChannelsFirst places;  // element i of an item is dimension places(i)
    std::int64_t dims = 0, latents = 0;
    double unit = 1;  // x is a symbol divided by this
  };
  // The graph of n rows: input "x" [n,dims], outputs "mean" [n,latents] and "log_var", which may
  // have one row for all.
  ItemEncoder(const ParamSet& params, RepeatableNet::Build build, const Form& form)
      : form_(form), net_(params, std::move(build)) {}

  // From items [n,dims] to [n,latents]. An item's numbers do not depend on the others.
  void posterior(std::span<const std::uint8_t> items, std::span<float> mean,
                 std::span<float> log_var) const;

 private:
  Form form_;
  RepeatableNet net_;
};

}  // namespace logpx
