#include "libcore/families/vae/task.hpp"

#include "libcore/base/index.hpp"
#include "libcore/families/vae/baselines/wake_sleep.hpp"
#include "libcore/math/blas.hpp"
#include "libcore/train/ranks.hpp"

#include <algorithm>
#include <cmath>

namespace logpx::vae {
namespace {

constexpr float baseline_rate = 0.1F;  // of the running mean of rewards
// All pixels of a row cost many times what training takes of it where they see others.
constexpr std::int64_t rows_seeing = 1000;

}  // namespace

VaeTask::VaeTask(VaeModel& model, const ObjectiveOptions& options, TaskData data, Rng rng,
                 std::unique_ptr<PseudoInputs> pseudo)
    : model_(model),
      options_(options),
      data_(std::move(data)),
      rows_(model.reader(), data_.train),
      pseudo_(std::move(pseudo)),
      bound_passes_(bound_passes(model, {})) {
  options.validate();
  model.set_data_mean(rows_.mean());
  if (data_.valid) static_cast<void>(TrainingRows(model.reader(), *data_.valid));
  if (pseudo_) pseudo_->start(rows_, rng);
  if (model.context() != nullptr && model.config().context_share < 1)
    taken_.emplace(model, data_.train);
  const auto take_rows = [this](const Shard& shard, GraphInputs& inputs) {
    bind_target(model_, rows_, shard, inputs);
  };
  switch (options.algorithm) {
    case Algorithm::aevb:
      if (pseudo_) phases_ = pseudo_->phases(objective_parts());
      else phases_.push_back(std::make_unique<GraphPhase>(PhaseSettings{}, objective_parts()));
      break;
    case Algorithm::wake_sleep: phases_ = wake_sleep_phases(model, take_rows); break;
    case Algorithm::mcem:
      em_.emplace(model, options, data_.train.held(), take_rows, rng);
      phases_ = em_->phases();
  }
}

VaeTask::~VaeTask() = default;

std::vector<Phase*> VaeTask::phases() {
  std::vector<Phase*> list;
  for (const auto& phase : phases_) list.push_back(phase.get());
  return list;
}

GraphPhaseParts VaeTask::objective_parts() {
  const bool scored = options_.objective == Objective::score_function;
  GraphPhaseParts parts;
  parts.build = [this](std::int64_t rows, std::int64_t extent) {
    auto graph = std::make_unique<Graph>();
    LogPrior prior = log_prior;
    if (pseudo_) prior = [this](Var z) { return pseudo_->log_prior(z); };
    build_objective(model_, options_, *graph, {rows, extent}, prior);
    return graph;
  };
  parts.bind = [this](const Shard& shard, GraphInputs& inputs) { bind(shard, inputs); };
  parts.from = scored ? "surrogate" : "loss";
  if (options_.objective == Objective::iwae_dreg)
    parts.read = [](const Shard&, const Executor<float>& run, GraphInputs& inputs,
                    const ShardSums&) {
      normalise_draws(run.output("log_weights"), inputs.values("pull"));
    };
  if (scored)
    parts.finish = [this](const StepPlace& place, const PhaseSums& sums) {
      const auto reward = static_cast<float>(-sums.terms[0]);
      baseline_[0] += (place.step == 0 ? 1 : baseline_rate) * (reward - baseline_[0]);
    };
  return parts;
}

void VaeTask::bind(const Shard& shard, GraphInputs& inputs) const {
  bind_target(model_, rows_, shard, inputs);
  bind_noise(shard, model_.latent(), inputs);
  if (taken_) taken_->bind(shard, inputs);
  if (options_.schedules_kl())
    inputs.values("kl_weight")[0] = static_cast<float>(options_.kl_weight(shard.place.step));
  if (options_.objective == Objective::iwae_dreg) std::ranges::fill(inputs.values("pull"), 1.0F);
  if (options_.objective == Objective::score_function) inputs.values("baseline")[0] = baseline_[0];
}

std::vector<ParamGroup> VaeTask::groups() const {
  const std::optional<double> prior = options_.weight_prior_std();
  if (!prior) return {};
  ParamGroup all;
  all.l2 = 1 / (static_cast<double>(rows()) * *prior * *prior);
  return {all};
}

TrainReads VaeTask::reads() const {
  return {.averages = pseudo_ == nullptr, .way = "--prior vamp:K"};
}

ShardGrain VaeTask::grain() const {
  return model_.config().encoder == NetworkKind::conv ? ShardGrain::heavy : ShardGrain::dense;
}

std::int64_t VaeTask::samples_per_row() const {
  return options_.algorithm == Algorithm::mcem ? options_.m_steps : 1;
}

std::vector<TensorRef> VaeTask::state() {
  if (em_) return em_->state();
  if (options_.objective != Objective::score_function) return {};
  return {TensorRef::of("baseline", baseline_)};
}

std::int64_t VaeTask::data_bytes() const {
  std::int64_t bytes = data_.bytes();
  if (em_) bytes += em_->bytes();
  if (taken_) bytes += taken_->bytes();
  return bytes;
}

void VaeTask::compute_by(const Numerics& numerics) {
  numerics_ = numerics;
  bound_passes_.clear();
  bound_passes_.request().numerics = numerics;
  if (pseudo_) pseudo_->compute_by(numerics);
  TrainingTask::compute_by(numerics);
}

BoundMeans VaeTask::measured(std::span<const float> weights, const TaskRows& examples,
                             const EvaluationMachine& machine) {
  const std::vector<float> theta =
      pseudo_ ? pseudo_->settled(weights) : std::vector<float>(weights.begin(), weights.end());
  if (model_.context() == nullptr)
    return mean_bound(model_, bound_passes_, theta, examples, machine);
  const Rows first = examples.read(0, std::min(rows_seeing, examples.count));
  return mean_bound(model_, bound_passes_, theta, Examples{examples.info, first, examples.first},
                    machine);
}

Metrics VaeTask::evaluate(std::span<const float> weights, Workers& workers, Ranks& ranks) {
  const EvaluationMachine machine{workers, ranks, numerics_};
  if (em_) return em_->evaluate(weights, std::min(curve_rows, rows()), machine);
  const BoundMeans train = measured(weights, data_.train, machine);
  std::optional<BoundMeans> valid;
  if (data_.valid) valid = measured(weights, *data_.valid, machine);
  Metrics metrics = bound_metrics(train, valid);
  metrics.emplace_back("elbo_full_estimate", static_cast<double>(rows()) * train.elbo);
  return metrics;
}

std::vector<std::string> VaeTask::concerns(std::span<const float> weights, Workers& workers,
                                           Ranks& ranks) {
  if (em_ || !model_.config().smooth_limits) return {};
  return latents_at_limits(measured(weights, data_.train, {workers, ranks, numerics_}));
}

void VaeTask::finished(std::span<const float> weights, Workers&) {
  if (pseudo_) std::ranges::copy(pseudo_->settled(weights), model_.param_set().block().begin());
}

}  // namespace logpx::vae
