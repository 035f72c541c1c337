#include "libcore/model/repeatable_net.hpp"

#include "libcore/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace logpx {

RepeatableNet::RepeatableNet(const ParamSet& params, Build build)
    : params_(params),
      executors_(
          [build = std::move(build)](std::int64_t rows, std::int64_t) {
            auto graph = std::make_unique<Graph>();
            build(*graph, rows);
            return graph;
          },
          {.numerics = repeatable_numerics}) {
  executors_.keep_within(std::numeric_limits<std::int64_t>::max() / 2);  // keep them all
}

void RepeatableNet::run(const Inputs& inputs, std::int64_t rows, const Use& use) const {
  const ExecutorPool::Loan loan = executors_.lend({rows});
  Executor<float>& executor = loan.executor();
  for (const auto& [name, values] : inputs) {
    const std::span<float> to = loan.inputs().values(name);
    LOGPX_ASSERT(to.size() == values.size());
    std::ranges::copy(values, to.begin());
  }
  executor.bind_parameters(params_.block());
  executor.forward();
  for (const Graph::Output& output : executor.graph().outputs())
    for (const float value : executor.output(output.name).span())
      if (!std::isfinite(value))
        fail(ErrorKind::numeric, "model", "produced a non-finite value at " + output.name);
  use(executor);
}

std::vector<std::vector<float>> RepeatableNet::outputs(const Inputs& inputs,
                                                       std::int64_t rows) const {
  std::vector<std::vector<float>> all;
  run(inputs, rows, [&](const Executor<float>& done) {
    for (const Graph::Output& output : done.graph().outputs()) {
      const auto values = done.output(output.name).span();
      all.emplace_back(values.begin(), values.end());
    }
  });
  return all;
}

void name_outputs(Graph& graph, const std::vector<Var>& nodes) {
  for (std::size_t i = 0; i < nodes.size(); ++i) graph.output("head" + std::to_string(i), nodes[i]);
}

}  // namespace logpx
