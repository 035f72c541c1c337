#include "libcore/families/vae/task.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/families/vae/baselines/wake_sleep.hpp"
#include "libcore/families/vae/bound.hpp"
#include "libcore/math/blas.hpp"
#include "libcore/train/ranks.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace logpx::vae {
namespace {

constexpr double least_variance = 0.01;  // of an active unit's posterior mean
constexpr float baseline_rate = 0.1F;    // of the running mean of rewards

// Examples first..first+count-1 of these.
Examples part(const Examples& all, const Rows& rows, std::int64_t first) {
  return {all.info, rows, all.first + first};
}

}  // namespace

VaeTask::VaeTask(VaeModel& model, const ObjectiveOptions& options, TaskData data, Rng rng)
    : model_(model),
      options_(options),
      data_(std::move(data)),
      rows_(model.reader(), data_.train),
      bound_passes_(bound_passes(model, {})) {
  options.validate();
  model.set_data_mean(rows_.mean());
  if (data_.valid) static_cast<void>(TrainingRows(model.reader(), *data_.valid));
  const auto take_rows = [this](const Shard& shard, GraphInputs& inputs) {
    bind_rows(shard, inputs);
  };
  switch (options.algorithm) {
    case Algorithm::aevb: phases_.push_back(objective_phase()); break;
    case Algorithm::wake_sleep: phases_ = wake_sleep_phases(model, take_rows); break;
    case Algorithm::mcem:
      em_.emplace(model, options, data_.train, take_rows, rng);
      phases_ = em_->phases();
  }
}

VaeTask::~VaeTask() = default;

std::vector<Phase*> VaeTask::phases() {
  std::vector<Phase*> list;
  for (const auto& phase : phases_) list.push_back(phase.get());
  return list;
}

std::unique_ptr<Phase> VaeTask::objective_phase() {
  const bool scored = options_.objective == Objective::score_function;
  GraphPhaseParts parts;
  parts.build = [this](std::int64_t rows, std::int64_t) {
    auto graph = std::make_unique<Graph>();
    build_objective(model_, options_, *graph, rows);
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
  return std::make_unique<GraphPhase>(PhaseSettings{}, std::move(parts));
}

void VaeTask::bind_rows(const Shard& shard, GraphInputs& inputs) const {
  const StepPlace& place = shard.place;
  const RowNoise noise =
      training_noise(model_.rules(), Rng(place.seed), static_cast<std::uint32_t>(place.epoch));
  const std::span<float> x = inputs.values("x");
  const auto dims = at(model_.dims());
  for (std::size_t i = 0; i < shard.rows.size(); ++i)
    rows_.take(shard.rows[i], noise, x.subspan(i * dims, dims));
  if (model_.likelihood().takes_index()) fill_index(x, inputs.indices("index"));
}

void VaeTask::bind(const Shard& shard, GraphInputs& inputs) const {
  bind_rows(shard, inputs);
  const StepPlace& place = shard.place;
  const std::int64_t draws = options_.copies(), latent = model_.latent();
  const Substream eps =
      Rng(place.seed).stream(Stream::noise, static_cast<std::uint32_t>(place.step));
  const std::span<float> all = inputs.values("noise");
  for (std::int64_t i = 0; i < shard.count; ++i)
    for (std::int64_t l = 0; l < draws; ++l)
      fill_normals(eps, static_cast<std::uint64_t>((shard.places[at(i)] * draws + l) * latent),
                   all.subspan(at((l * shard.count + i) * latent), at(latent)));
  if (options_.schedules_kl())
    inputs.values("kl_weight")[0] = static_cast<float>(options_.kl_weight(place.step));
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
  std::int64_t bytes = rows_.bytes();
  if (data_.valid) bytes += std::ssize(data_.valid->rows.x);
  if (em_) bytes += em_->bytes();
  return bytes;
}

void VaeTask::compute_by(const Numerics& numerics) {
  numerics_ = numerics;
  bound_passes_.clear();
  bound_passes_.request().numerics = numerics;
  TrainingTask::compute_by(numerics);
}

Metrics VaeTask::evaluate(std::span<const float> weights, Workers& workers, Ranks& ranks) {
  const EvaluationMachine machine{workers, ranks, numerics_};
  if (em_) return em_->evaluate(weights, std::min(curve_rows, rows()), machine);
  const BoundMeans train = mean_bound(weights, data_.train, machine);
  const BoundMeans judged = data_.valid ? mean_bound(weights, *data_.valid, machine) : train;
  Metrics metrics;
  if (data_.valid) metrics.emplace_back("elbo_valid", judged.elbo);
  metrics.emplace_back("elbo_train", train.elbo);
  metrics.emplace_back("recon", judged.recon);
  metrics.emplace_back("kl", judged.kl);
  metrics.emplace_back("active_units", static_cast<double>(judged.active_units));
  metrics.emplace_back("elbo_full_estimate", static_cast<double>(rows()) * train.elbo);
  return metrics;
}

std::vector<std::string> VaeTask::concerns(std::span<const float> weights, Workers& workers,
                                           Ranks& ranks) {
  if (em_ || !model_.config().smooth_limits) return {};
  const BoundMeans means = mean_bound(weights, data_.train, {workers, ranks, numerics_});
  std::vector<std::string> found;
  for (std::size_t j = 0; j < means.log_var.size(); ++j) {
    const bool low = means.log_var[j] <= least_log_var + std::numbers::ln2,
               high = means.log_var[j] >= largest_log_var - std::numbers::ln2;
    if (!low && !high) continue;
    found.push_back("the mean log-variance of latent " + std::to_string(j) + " ended at " +
                    four_digits(means.log_var[j]) + ", its " + (low ? "least" : "largest") +
                    " value: another --seed or a smaller --lr may use this latent better");
  }
  return found;
}

VaeTask::BoundMeans VaeTask::mean_bound(std::span<const float> weights, const Examples& examples,
                                        const EvaluationMachine& machine) const {
  const std::int64_t rows = std::min(curve_rows, examples.rows.count);
  const std::int64_t latent = model_.latent();
  const auto of_block = [&](RowBlock block, std::span<double> own) {
    single_threaded_kernels();
    const auto [first, count] = block;
    const Rows held = slice_rows(examples.rows, first, first + count);
    BoundPass pass(model_, bound_passes_, {count, 1});
    model_.reader().take(part(examples, held, first), evaluation_noise(model_.rules()), pass.x());
    pass.run(weights, Rng(1), {.row = examples.first + first});
    const std::span<const float> log_vars = pass.log_var();  // one row where all share it
    const std::int64_t size = std::ssize(log_vars);
    for (std::int64_t i = 0; i < count; ++i) {
      own[0] += pass.recon(0, i);
      own[1] += pass.kl(i);
      for (std::int64_t j = 0; j < latent; ++j) {
        const auto mean = static_cast<double>(pass.mean()[at(i * latent + j)]);
        own[at(2 + j)] += mean;
        own[at(2 + latent + j)] += mean * mean;
        own[at(2 + 2 * latent + j)] += static_cast<double>(log_vars[at((i * latent + j) % size)]);
      }
    }
  };
  // recon, kl, sums of means, of their squares, and of log-variances
  const std::vector<double> sums =
      sum_over_rows(machine, {.rows = rows, .columns = 2 + 3 * latent}, of_block);
  const auto n = static_cast<double>(rows);
  BoundMeans means{.recon = sums[0] / n, .kl = sums[1] / n};
  means.elbo = means.recon - means.kl;
  for (std::int64_t j = 0; j < latent; ++j) {
    const double mean = sums[at(2 + j)] / n;
    if (sums[at(2 + latent + j)] / n - mean * mean > least_variance) ++means.active_units;
    means.log_var.push_back(sums[at(2 + 2 * latent + j)] / n);
  }
  return means;
}

}  // namespace logpx::vae
