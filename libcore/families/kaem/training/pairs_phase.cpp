// The weights and the generator's gradient where it sees the symbols of a row: every row under
// every sample goes through it on its own.
#include "libcore/base/index.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/families/kaem/likelihood_graph.hpp"
#include "libcore/families/kaem/shard_rows.hpp"
#include "libcore/families/kaem/training/importance.hpp"
#include "libcore/families/kaem/training/row_weights.hpp"
#include "libcore/grad/executor_pool.hpp"
#include "libcore/math/blas.hpp"

#include <algorithm>

namespace logpx::kaem {
namespace {

class PairsOfShard {
 public:
  PairsOfShard(const PairParts& parts, const Shard& shard)
      : parts_(parts), shard_(shard), samples_(parts.step.weights.size()), rows_(at(shard.count)) {}

  void bind(GraphInputs& inputs) const {
    bind_rows(parts_.model, rows_of_shard(parts_.model, parts_.rows, shard_), inputs);
    spread(parts_.step.s, inputs.values("s"));
    if (parts_.options.train_noise == 0) return;
    std::vector<float> noise(samples_ * at(parts_.model.generator().noise_size()));
    fill_normals(
        Rng(shard_.place.seed).stream(Stream::noise, static_cast<std::uint32_t>(shard_.place.step)),
        0, noise);
    for (float& value : noise) value *= static_cast<float>(parts_.options.train_noise);
    spread(noise, inputs.values("noise"));
  }

  // Sums: the terms, the weights of samples, slopes by s, and the effective size of each row.
  void weigh(const Executor<float>& run, GraphInputs& inputs, const ShardSums& sums) const {
    const RowWeights weights(parts_.options);
    const std::span<const float> nats = run.output("log_likelihood").span();
    const double share = 1 / static_cast<double>(shard_.step_count);
    const std::span<double> all = sums.terms.subspan(terms, samples_);
    const std::span<double> sizes = sums.terms.last(at(shard_.step_count));
    std::vector<double> own(samples_), w(samples_);
    RowWeights::Memory memory;
    for (std::size_t i = 0; i < rows_; ++i) {
      for (std::size_t k = 0; k < samples_; ++k) own[k] = static_cast<double>(nats[k * rows_ + i]);
      const RowWeights::Outcome outcome = weights.weigh(shard_, i, own, w, memory);
      sizes[at(shard_.first) + i] = outcome.ess;
      sums.terms[1] += outcome.ess * share;
      if (outcome.resampled) sums.terms[2] += share;
      for (std::size_t k = 0; k < samples_; ++k) {
        all[k] += w[k] * share;
        if (w[k] > 0) sums.terms[0] -= w[k] * share * own[k];
        if (!inputs.seed().empty())
          inputs.seed()[k * rows_ + i] = static_cast<float>(-w[k] * share);
      }
    }
  }

  // Slopes of the loss by s, which all rows of the step share.
  void gather(const Executor<float>& run, const ShardSums& sums) const {
    const std::span<const float> by_s = run.gradient("s").span();
    const std::size_t latents = at(parts_.model.prior_form().n_q);
    const std::span<double> to = sums.terms.subspan(terms + samples_, samples_ * latents);
    for (std::size_t e = 0; e < by_s.size(); ++e)
      to[e / (rows_ * latents) * latents + e % latents] += static_cast<double>(by_s[e]);
  }

  static constexpr std::size_t terms = 3;

 private:
  // Numbers of samples, each for all rows.
  void spread(std::span<const float> numbers, std::span<float> to) const {
    const std::size_t own = numbers.size() / samples_;
    for (std::size_t pair = 0; pair < samples_ * rows_; ++pair)
      std::ranges::copy(numbers.subspan(pair / rows_ * own, own), to.subspan(pair * own).begin());
  }
  const PairParts& parts_;
  const Shard& shard_;
  std::size_t samples_, rows_;
};

void take_sums(ImportanceStep& step, const StepPlace& place, const PhaseSums& sums) {
  std::span<const double> rest = sums.terms.subspan(PairsOfShard::terms);
  std::copy_n(rest.begin(), step.weights.size(), step.weights.begin());
  rest = rest.subspan(step.weights.size());
  step.note_sizes(place, rest.last(at(place.rows)));
  if (rest.size() > at(place.rows)) std::copy_n(rest.begin(), step.by_s.size(), step.by_s.begin());
}

bool is_pathwise(const PairParts& of) {
  return of.options.trains("prior") &&
         of.options.signal(of.model.prior_form()) == PriorSignal::pathwise;
}

std::unique_ptr<Graph> pairs_graph(const PairParts& of, std::int64_t rows) {
  const auto noise =
      of.options.train_noise > 0 ? PairedRows::Noise::before_activation : PairedRows::Noise::none;
  return likelihood_graph(of.model, {.rows = rows, .copies = of.options.samples, .noise = noise});
}

PlanRequest pairs_request(const PairParts& of) {
  PlanRequest request;
  const bool trains = of.options.trains("generator");
  if (!trains && !is_pathwise(of)) return request;
  request.from = "log_likelihood";
  request.parameters = trains;
  request.written = {"generator"};
  if (is_pathwise(of)) request.inputs = {"s"};
  return request;
}

class PairsPhase final : public Phase {
 public:
  explicit PairsPhase(const PairParts& parts)
      : Phase({.name = "pairs",
               .terms = {"objective", "ess", "resampled"},
               .extra_sums =
                   parts.options.samples + (is_pathwise(parts) ? std::ssize(parts.step.by_s) : 0),
               .sums_per_row = 1,
               .gradient = parts.options.trains("generator"),
               .writes = {"generator"},
               .update = parts.options.trains("prior") ? Update::none : Update::optimizer}),
        parts_(parts),
        graphs_([parts](std::int64_t rows, std::int64_t) { return pairs_graph(parts, rows); },
                pairs_request(parts)) {
    works_with(graphs_);
  }

  void run(const Shard& shard, std::span<const float> theta, const ShardSums& sums) override {
    single_threaded_kernels();
    const ExecutorPool::Loan loan = graphs_.lend(shard.size());
    Executor<float>& run = loan.executor();
    const PairsOfShard pairs(parts_, shard);
    pairs.bind(loan.inputs());
    run.bind_parameters(theta, sums.gradient, sums.written);
    run.forward();
    pairs.weigh(run, loan.inputs(), sums);
    if (!settings().gradient && !is_pathwise(parts_)) return;
    run.backward(loan.inputs().seed());
    if (is_pathwise(parts_)) pairs.gather(run, sums);
  }

  void finish(const StepPlace& place, const PhaseSums& sums) override {
    take_sums(parts_.step, place, sums);
  }

 private:
  PairParts parts_;
  ExecutorPool graphs_;
};

}  // namespace

std::unique_ptr<Phase> pairs_phase(const PairParts& parts) {
  return std::make_unique<PairsPhase>(parts);
}

}  // namespace logpx::kaem
