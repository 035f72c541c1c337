#include "libcore/train/graph_phase.hpp"

#include "libcore/math/blas.hpp"

#include <algorithm>

namespace logpx {
namespace {

double share_of(const Shard& shard) { return 1 / static_cast<double>(shard.step_count); }

PlanRequest request_of(const PhaseSettings& settings, const GraphPhaseParts& parts) {
  PlanRequest request{.reuse = parts.reuse};
  if (settings.gradient) {
    request.from = parts.from;
    request.parameters = true;
  }
  return request;
}

}  // namespace

GraphPhase::GraphPhase(PhaseSettings settings, GraphPhaseParts parts)
    : Phase(std::move(settings)),
      parts_(std::move(parts)),
      runners_(parts_.build, request_of(this->settings(), parts_)) {}

void GraphPhase::bind(const Shard& shard, GraphInputs& inputs) const {
  std::ranges::fill(inputs.seed(), static_cast<float>(share_of(shard)));
  parts_.bind(shard, inputs);
}

void GraphPhase::run(const Shard& shard, std::span<const float> theta, const ShardSums& sums) {
  single_threaded_kernels();
  const GraphRunners::Loan loan = runners_.lend(shard.count);
  Executor<float>& executor = loan.executor();
  bind(shard, loan.inputs());
  executor.bind_parameters(theta, sums.gradient);
  executor.forward();
  const double share = share_of(shard);
  const std::vector<std::string>& terms = settings().terms;
  for (std::size_t t = 0; t < terms.size(); ++t) {
    double sum = 0;
    for (const float value : executor.output(terms[t]).span()) sum += static_cast<double>(value);
    sums.terms[t] += sum * share;
  }
  if (parts_.read) parts_.read(executor, loan.inputs(), sums);
  if (settings().gradient) executor.backward(loan.inputs().seed());
}

std::string GraphPhase::find_trouble(const Shard& shard, std::span<const float> theta,
                                     const ShardSums& sums) {
  const GraphRunners::Loan loan = runners_.lend(shard.count);
  bind(shard, loan.inputs());
  loan.executor().bind_parameters(theta, sums.gradient);
  return loan.executor().find_non_finite(loan.inputs().seed());
}

}  // namespace logpx
