// The phase that moves the chains of the rows.
#include "libcore/base/index.hpp"
#include "libcore/det/functions.hpp"
#include "libcore/families/kaem/chains/chain_training.hpp"
#include "libcore/families/kaem/chains/chain_walk.hpp"
#include "libcore/families/kaem/likelihood_graph.hpp"
#include "libcore/families/kaem/prior/prior_density.hpp"
#include "libcore/families/kaem/shard_rows.hpp"
#include "libcore/math/blas.hpp"
#include "libcore/math/repeatable.hpp"
#include "libcore/model/latent_decoder.hpp"

#include <algorithm>
#include <cmath>

namespace logpx::kaem {
namespace {

std::vector<std::string> chain_terms(const KaemModel& model) {
  std::vector<std::string> terms = {"objective", "accept", "eta"};
  if (measures_distance(model)) terms.emplace_back("recon_sq_error");
  return terms;
}
// Sums besides the terms: steps of automala and their number, exchanges tried and accepted, places
// and their squares.
std::int64_t extra_sums(const ChainStep& step) {
  return 2 + std::ssize(step.pairs()) + 2 * step.dims();
}
// Numbers of a row: the states at t = 1 that are kept, and all states of a persistent chain.
std::int64_t sums_of_row(const ChainStep& step, const LangevinOptions& options) {
  return step.dims() *
         (options.kept_states() + (options.persistent ? options.rungs() : std::int64_t{0}));
}

class ChainsPhase final : public Phase {
 public:
  explicit ChainsPhase(const ChainParts& parts)
      : Phase({.name = "chains",
               .terms = chain_terms(parts.model),
               .extra_sums = extra_sums(parts.step),
               .sums_per_row = sums_of_row(parts.step, parts.options.langevin),
               .gradient = false,
               .update = Update::none}),
        model_(parts.model),
        options_(parts.options.langevin),
        step_(parts.step),
        rows_(parts.rows),
        graphs_(
            [&model = parts.model, rungs = parts.options.langevin.rungs()](std::int64_t rows,
                                                                           std::int64_t) {
              return likelihood_graph(
                  model, {.rows = rows, .copies = rungs, .heads = PairedRows::Heads::shown});
            },
            {.from = "log_likelihood", .inputs = {"s"}}) {
    works_with(graphs_);
  }

  void begin(const MicroBatch& batch) override {
    if (batch.first == 0) {
      numbers_.clear();
      step_.learned.resize(
          at(batch.place.rows * learned_rungs(options_).count * model_.prior_form().n_q));
    }
    numbers_.insert(numbers_.end(), batch.rows.begin(), batch.rows.end());
  }

  void run(const Shard& shard, std::span<const float> theta, const ShardSums& sums) override;
  void finish(const StepPlace& place, const PhaseSums& sums) override;

 private:
  [[nodiscard]] std::vector<double> start(const Shard& shard) const;
  [[nodiscard]] const double* drawn(const Shard& shard, std::size_t row, std::size_t rung) const;
  [[nodiscard]] TemperedLikelihood likelihood(const Shard& shard,
                                              const ExecutorPool::Loan& loan) const;
  void move(const Shard& shard, ChainWalk& walk, const ShardSums& sums) const;
  void keep_learned(const Shard& shard, ChainSpace& space, std::span<const double> places) const;
  void add_outcome(const Shard& shard, const ChainWalk& walk, const ShardSums& sums) const;
  void add_terms(const Shard& shard, const ExecutorPool::Loan& loan, std::span<const float> x,
                 const ShardSums& sums) const;
  void take_samples(std::span<const double> of_rows);
  void take_chains(std::span<const double> of_rows);
  void tune(const StepPlace& place, std::span<const double> extra, double accepted);

  const KaemModel& model_;
  const LangevinOptions& options_;
  ChainStep& step_;
  const TrainingRows& rows_;
  ExecutorPool graphs_;
  std::vector<std::int64_t> numbers_;  // of the rows of the step
};

// Draw k of a row in this step; the last stands for t_0.
const double* ChainsPhase::drawn(const Shard& shard, std::size_t row, std::size_t rung) const {
  const std::size_t place = at(shard.places[row]) * at(options_.rungs() + 1) + rung;
  return step_.starts.data() + place * at(step_.dims());
}

std::vector<double> ChainsPhase::start(const Shard& shard) const {
  const std::size_t dims = at(step_.dims()), rows = shard.rows.size(), rungs = at(options_.rungs());
  std::vector<double> places(rungs * rows * dims);
  for (std::size_t k = 0; k < rungs; ++k)
    for (std::size_t i = 0; i < rows; ++i) {
      double* const to = places.data() + (k * rows + i) * dims;
      const auto row = at(shard.rows[i]);
      if (options_.persistent && step_.visited.span()[row] != 0)
        std::copy_n(step_.chains.data() + (row * rungs + k) * dims, dims, to);
      else std::copy_n(drawn(shard, i, k), dims, to);
    }
  return places;
}

void ChainsPhase::run(const Shard& shard, std::span<const float> theta, const ShardSums& sums) {
  single_threaded_kernels();
  const ComputedBy how(step_.points.numerics);
  const ExecutorPool::Loan loan = graphs_.lend(shard.size());
  const std::vector<float> x = rows_of_shard(model_, rows_, shard);
  bind_rows(model_, x, loan.inputs());
  loan.executor().bind_parameters(theta);
  const std::unique_ptr<ChainSpace> space = step_.space(options_);
  TemperedTarget target{*space, model_.prior_form(), likelihood(shard, loan),
                        std::span(step_.t).subspan(1)};
  if (options_.support == Support::reflect) target.box = prior_box(step_.points.values);
  ChainWalk walk(std::move(target), options_,
                 {step_.tuning[ChainStep::eta], step_.deviations.span()}, shard);
  walk.start(start(shard));
  move(shard, walk, sums);
  keep_learned(shard, *space, walk.places());
  add_outcome(shard, walk, sums);
  std::vector<double> z(walk.places().size() / at(step_.dims()) * at(model_.prior_form().z_dims()));
  space->to_z(walk.places(), z);
  sum_rows(model_.prior_form(), z, loan.inputs().values("s"));
  loan.executor().forward();
  add_terms(shard, loan, x, sums);
}

TemperedLikelihood ChainsPhase::likelihood(const Shard& shard,
                                           const ExecutorPool::Loan& loan) const {
  return [this, &shard, &loan](std::span<const float> s, std::span<double> log_likelihood,
                               std::span<float> by_s) {
    Executor<float>& run = loan.executor();
    std::ranges::copy(s, loan.inputs().values("s").begin());
    run.forward();
    std::ranges::copy(run.output("log_likelihood").span(), log_likelihood.begin());
    const std::span<float> seed = loan.inputs().seed();
    for (std::size_t c = 0; c < seed.size(); ++c)
      seed[c] = static_cast<float>(step_.t[c / at(shard.count) + 1]);
    run.backward(seed);
    std::ranges::copy(run.gradient("s").span(), by_s.begin());
  };
}

// Keeps the last states at t = 1 and, for persistent chains, all states at the end.
void ChainsPhase::move(const Shard& shard, ChainWalk& walk, const ShardSums& sums) const {
  const std::span<double> of_rows =
      sums.terms.subspan(settings().terms.size() + at(settings().extra_sums));
  const std::size_t dims = at(step_.dims()), rows = at(shard.count);
  const std::size_t width = at(settings().sums_per_row);
  const auto keep = [&](std::int64_t rung, std::int64_t slot) {
    for (std::size_t i = 0; i < rows; ++i)
      std::copy_n(walk.places().data() + (at(rung) * rows + i) * dims, dims,
                  of_rows.data() + (at(shard.first) + i) * width + at(slot) * dims);
  };
  const std::int64_t kept = options_.kept_states(), rungs = options_.rungs();
  for (std::int64_t step = 0; step < options_.steps; ++step) {
    walk.move(step);
    const std::int64_t slot = step - (options_.steps - kept);
    if (slot >= 0) keep(rungs - 1, slot);
  }
  for (std::int64_t k = 0; options_.persistent && k < rungs; ++k) keep(k, kept + k);
}

// s at the temperatures that the generator learns at.
void ChainsPhase::keep_learned(const Shard& shard, ChainSpace& space,
                               std::span<const double> places) const {
  const PriorForm& form = model_.prior_form();
  const std::size_t dims = at(step_.dims()), rows = at(shard.count), latents = at(form.n_q);
  const LearnedRungs learned = learned_rungs(options_);
  std::vector<double> c(rows * dims), z(rows * at(form.z_dims()));
  std::vector<float> s(rows * latents);
  for (std::int64_t l = 0; l < learned.count; ++l) {
    const std::int64_t rung = learned.first + l;
    for (std::size_t i = 0; i < rows; ++i)
      std::copy_n(rung == 0 ? drawn(shard, i, at(options_.rungs()))
                            : places.data() + (at(rung - 1) * rows + i) * dims,
                  dims, c.data() + i * dims);
    space.to_z(c, z);
    sum_rows(form, z, s);
    for (std::size_t i = 0; i < rows; ++i)
      std::copy_n(
          s.data() + i * latents, latents,
          step_.learned.data() + ((at(shard.first) + i) * at(learned.count) + at(l)) * latents);
  }
}

void ChainsPhase::add_outcome(const Shard& shard, const ChainWalk& walk,
                              const ShardSums& sums) const {
  const WalkOutcome& outcome = walk.outcome();
  const double share = 1 / static_cast<double>(shard.step_count);
  sums.terms[1] += outcome.accept * share / static_cast<double>(options_.rungs() * options_.steps);
  sums.terms[2] += step_.tuning[ChainStep::eta] * static_cast<double>(shard.count) * share;
  std::span<double> extra = sums.terms.subspan(settings().terms.size());
  extra[0] += outcome.etas;
  extra[1] += outcome.accepted;
  extra = extra.subspan(2);
  for (std::size_t k = 0; k < outcome.tried.size(); ++k) {
    extra[k] += outcome.tried[k];
    extra[outcome.tried.size() + k] += outcome.exchanged[k];
  }
  extra = extra.subspan(2 * outcome.tried.size());
  const std::vector<double>& places = walk.places();
  const std::size_t dims = at(step_.dims());
  for (std::size_t e = 0; e < places.size(); ++e) {
    extra[e % dims] += places[e];
    extra[dims + e % dims] += places[e] * places[e];
  }
}

// The terms of the states at t = 1, which the executor has just decoded.
void ChainsPhase::add_terms(const Shard& shard, const ExecutorPool::Loan& loan,
                            std::span<const float> x, const ShardSums& sums) const {
  const double share = 1 / static_cast<double>(shard.step_count);
  const std::int64_t first = (options_.rungs() - 1) * shard.count;
  const View<const float> log_likelihood = loan.executor().output("log_likelihood");
  const DecodedHeads heads(model_.likelihood(), loan.executor());
  for (std::int64_t i = 0; i < shard.count; ++i) {
    sums.terms[0] -= share * static_cast<double>(log_likelihood.span()[at(first + i)]);
    if (!measures_distance(model_)) continue;
    const Likelihood::HeadValues own = heads.row(first + i);
    for (std::size_t d = 0; d < at(model_.dims()); ++d) {
      const double off =
          static_cast<double>(x[at(i * model_.dims()) + d]) - model_.likelihood().mean(own, d);
      sums.terms[3] += share * off * off;
    }
  }
}

void ChainsPhase::finish(const StepPlace& place, const PhaseSums& sums) {
  const ComputedBy how(step_.points.numerics);
  const std::size_t terms = settings().terms.size(), extra = at(settings().extra_sums);
  tune(place, sums.terms.subspan(terms, extra), sums.terms[1]);
  const std::span<const double> of_rows =
      sums.terms.subspan(terms + extra, numbers_.size() * at(settings().sums_per_row));
  take_samples(of_rows);
  if (options_.persistent) take_chains(of_rows);
}

// Sets the step and deviations of the next update from the moves and places of this one.
void ChainsPhase::tune(const StepPlace& place, std::span<const double> extra, double accepted) {
  Tensor<double>& tuning = step_.tuning;
  const std::span<double> pairs = step_.pairs();
  if (place.step == 0 || tuning[ChainStep::epoch] != static_cast<double>(place.epoch)) {
    tuning[ChainStep::epoch] = static_cast<double>(place.epoch);
    tuning[ChainStep::updates] = tuning[ChainStep::accept] = 0;
    std::ranges::fill(pairs, 0.0);
  }
  tuning[ChainStep::updates] += 1;
  tuning[ChainStep::accept] += accepted;
  for (std::size_t k = 0; k < pairs.size(); ++k) pairs[k] += extra[2 + k];
  if (options_.posterior != PosteriorKind::automala) return;
  if (extra[1] > 0)
    tuning[ChainStep::eta] = std::clamp(extra[0] / extra[1], options_.eta_min, options_.eta_max);
  const std::span<const double> sums = extra.subspan(2 + pairs.size());
  const std::span<double> deviations = step_.deviations.span();
  const double chains = static_cast<double>(options_.rungs()) * static_cast<double>(place.rows);
  for (std::size_t d = 0; d < deviations.size(); ++d) {
    const double mean = sums[d] / chains;
    const double variance = sums[deviations.size() + d] / chains - mean * mean;
    deviations[d] = variance > 1e-12 ? std::sqrt(variance) : 1;
  }
}

// Kept states, slot by slot: the last slot holds the samples that are learned from.
void ChainsPhase::take_samples(std::span<const double> of_rows) {
  const PriorForm& form = model_.prior_form();
  const std::size_t dims = at(step_.dims()), rows = numbers_.size();
  const std::size_t kept = at(options_.kept_states()), width = at(settings().sums_per_row);
  std::vector<double> places(kept * rows * dims), z(kept * rows * at(form.z_dims()));
  for (std::size_t slot = 0; slot < kept; ++slot)
    for (std::size_t i = 0; i < rows; ++i)
      std::copy_n(of_rows.data() + i * width + slot * dims, dims,
                  places.data() + (slot * rows + i) * dims);
  step_.space(options_)->to_z(places, z);
  const auto take = [&](PosteriorPoints& points, std::size_t slots) {
    const auto from = std::span<const double>(z).last(slots * rows * at(form.z_dims()));
    points.resize(static_cast<std::int64_t>(slots * rows));
    take_rows(form, from, points.draws);
    sum_rows(form, from, points.s);
    std::ranges::fill(points.weights, 1 / static_cast<double>(slots * rows));
  };
  take(step_.kept, kept);
  take(step_.points, 1);
  if (options_.support != Support::u_space || form.is_mixture()) return;
  std::ranges::transform(std::span<const double>(places).last(rows * dims),
                         step_.points.draws.u.begin(), det_sigmoid);
}

void ChainsPhase::take_chains(std::span<const double> of_rows) {
  const std::size_t own = at(options_.rungs() * step_.dims());
  const std::size_t width = at(settings().sums_per_row);
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    const auto row = at(numbers_[i]);
    std::ranges::transform(of_rows.subspan((i + 1) * width - own, own),
                           step_.chains.data() + row * own,
                           [](double place) { return static_cast<float>(place); });
    step_.visited.span()[row] = 1;
  }
}

}  // namespace

std::unique_ptr<Phase> chains_phase(const ChainParts& parts) {
  return std::make_unique<ChainsPhase>(parts);
}

}  // namespace logpx::kaem
