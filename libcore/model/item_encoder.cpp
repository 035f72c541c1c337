#include "libcore/model/item_encoder.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

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

namespace {

constexpr std::size_t items_encoded_at_a_time = 64;

}  // namespace

void ItemEncoder::posterior(std::span<const std::uint8_t> items, std::span<float> mean,
                            std::span<float> log_var) const {
  const std::size_t size = at(form_.dims), latents = at(form_.latents), count = items.size() / size;
  std::vector<float> x;
  for (std::size_t first = 0; first < count; first += items_encoded_at_a_time) {
    const std::size_t held = std::min(items_encoded_at_a_time, count - first);
    const std::size_t rows = held == 1 ? 1 : items_encoded_at_a_time;  // two plans are enough
    x.assign(rows * size, 0.0F);
    for (std::size_t r = 0; r < held; ++r)
      for (std::size_t i = 0; i < size; ++i)
        x[r * size + form_.places(i)] =
            static_cast<float>(static_cast<double>(items[(first + r) * size + i]) / form_.unit);
    net_.run({{"x", x}}, static_cast<std::int64_t>(rows), [&](const Executor<float>& done) {
      const auto means = done.output("mean").span(), log_vars = done.output("log_var").span();
      for (std::size_t i = 0; i < held * latents; ++i) {
        mean[first * latents + i] = means[i];
        log_var[first * latents + i] = log_vars[i % log_vars.size()];
      }
    });
  }
}

}  // namespace logpx
