#include "libcore/train/graph_phase.hpp"

#include "libcore/base/error.hpp"
#include "libcore/math/blas.hpp"

#include <algorithm>

namespace logpx {

void HeldExecutors::leave(const Shard& shard, ExecutorPool::Loan loan) {
  const std::lock_guard lock(mutex_);
  held_.emplace_back(shard.first, std::move(loan));
}

ExecutorPool::Loan HeldExecutors::take(const Shard& shard) {
  const std::lock_guard lock(mutex_);
  const auto found =
      std::ranges::find(held_, shard.first, [](const auto& held) { return held.first; });
  LOGPX_ASSERT(found != held_.end());
  ExecutorPool::Loan loan = std::move(found->second);
  held_.erase(found);
  return loan;
}

void HeldExecutors::clear() {
  const std::lock_guard lock(mutex_);
  held_.clear();
}

namespace {

double share_of(const Shard& shard) { return 1 / static_cast<double>(shard.step_count); }

Shard with(Shard shard, std::span<const float> theta) {
  shard.theta = theta;
  return shard;
}

PlanRequest request_of(const PhaseSettings& settings, const GraphPhaseParts& parts) {
  PlanRequest request{.reuse = parts.reuse};
  if (!settings.gradient && parts.inputs.empty()) return request;
  request.from = parts.from;
  request.parameters = settings.gradient;
  request.written = settings.writes;
  request.inputs = parts.inputs;
  return request;
}

}  // namespace

GraphPhase::GraphPhase(PhaseSettings settings, GraphPhaseParts parts)
    : Phase(std::move(settings)), parts_(std::move(parts)) {
  pool_.emplace(parts_.build, request_of(this->settings(), parts_));
  works_with(*pool_);
}

GraphPhase::GraphPhase(PhaseSettings settings, GraphPhaseParts parts, GraphPhase& forward)
    : Phase(std::move(settings)), parts_(std::move(parts)), forward_(&forward) {
  LOGPX_ASSERT(!forward.goes_back() && forward.pool_ && !forward.holds_ && goes_back());
  LOGPX_ASSERT(forward.settings().items == this->settings().items);
  LOGPX_ASSERT(forward.settings().repeat == 1 && this->settings().repeat == 1);
  forward.holds_ = true;
  forward.pool_->request() = request_of(this->settings(), parts_);
}

void GraphPhase::begin(const MicroBatch& batch) {
  if (batch.first == 0) held_.clear();
}

void GraphPhase::bind(const Shard& shard, GraphInputs& inputs) const {
  std::ranges::fill(inputs.seed(), static_cast<float>(share_of(shard)));
  if (parts_.bind) parts_.bind(shard, inputs);
}

// An executor after its forward pass.
ExecutorPool::Loan GraphPhase::start(const Shard& shard, std::span<const float> theta,
                                     const ShardSums& sums) {
  ExecutorPool::Loan loan =
      forward_ != nullptr ? forward_->held_.take(shard) : pool_->lend(shard.size());
  bind(shard, loan.inputs());
  loan.executor().bind_parameters(theta, sums.gradient, sums.written);
  if (forward_ == nullptr) loan.executor().forward();
  return loan;
}

void GraphPhase::add_terms(const Shard& shard, const Executor<float>& done,
                           const ShardSums& sums) const {
  const double share = share_of(shard);
  const std::vector<std::string>& terms = settings().terms;
  for (std::size_t t = 0; t < terms.size(); ++t) {
    double sum = 0;
    for (const float value : done.output(terms[t]).span()) sum += static_cast<double>(value);
    sums.terms[t] += sum * share;
  }
}

void GraphPhase::run(const Shard& given, std::span<const float> theta, const ShardSums& sums) {
  single_threaded_kernels();
  const Shard shard = with(given, theta);
  ExecutorPool::Loan loan = start(shard, theta, sums);
  Executor<float>& executor = loan.executor();
  add_terms(shard, executor, sums);
  if (parts_.read) parts_.read(shard, executor, loan.inputs(), sums);
  if (holds_) return held_.leave(shard, std::move(loan));
  if (goes_back()) executor.backward(loan.inputs().seed());
  if (parts_.after) parts_.after(shard, executor, sums);
}

// From the start, also where the forward pass is another phase's: what it has left is used up.
std::string GraphPhase::find_trouble(const Shard& given, std::span<const float> theta,
                                     const ShardSums& sums) {
  const Shard shard = with(given, theta);
  GraphPhase& computes = forward_ != nullptr ? *forward_ : *this;
  const ExecutorPool::Loan loan = computes.pool_->lend(shard.size());
  if (forward_ != nullptr) forward_->bind(shard, loan.inputs());
  bind(shard, loan.inputs());
  loan.executor().bind_parameters(theta, sums.gradient, sums.written);
  return loan.executor().find_non_finite(loan.inputs().seed());
}

}  // namespace logpx
