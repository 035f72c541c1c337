#include "libcore/model/repeatable_net.hpp"

#include "libcore/base/error.hpp"

#include <algorithm>
#include <cmath>

namespace logpx {

struct RepeatableNet::Runner {
  Graph graph;
  std::unique_ptr<Executor<float>> executor;
};

RepeatableNet::RepeatableNet(const ParamSet& params, Build build)
    : params_(params), build_(std::move(build)) {}

RepeatableNet::~RepeatableNet() = default;

std::unique_ptr<RepeatableNet::Runner> RepeatableNet::borrow(std::int64_t rows) const {
  {
    const std::lock_guard lock(mutex_);
    auto& list = idle_[rows];
    if (!list.empty()) {
      std::unique_ptr<Runner> runner = std::move(list.back());
      list.pop_back();
      return runner;
    }
  }
  auto runner = std::make_unique<Runner>();
  build_(runner->graph, rows);
  const PlanRequest request{.numerics = repeatable_numerics};
  runner->executor = std::make_unique<Executor<float>>(runner->graph, request);
  return runner;
}

void RepeatableNet::run(const Inputs& inputs, std::int64_t rows, const Use& use) const {
  std::unique_ptr<Runner> runner = borrow(rows);
  Executor<float>& executor = *runner->executor;
  for (const auto& [name, values] : inputs) executor.bind(name, values);
  executor.bind_parameters(params_.block());
  executor.forward();
  for (const Graph::Output& output : runner->graph.outputs())
    for (const float value : executor.output(output.name).span())
      if (!std::isfinite(value))
        fail(ErrorKind::numeric, "model", "produced a non-finite value at " + output.name);
  use(executor);
  const std::lock_guard lock(mutex_);
  idle_[rows].push_back(std::move(runner));
}

}  // namespace logpx
