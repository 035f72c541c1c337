#include "libcore/base/index.hpp"
#include "libcore/base/spares.hpp"
#include "libcore/families/kaem/shard_rows.hpp"
#include "libcore/families/kaem/training/importance.hpp"
#include "libcore/families/kaem/training/row_weights.hpp"
#include "libcore/math/blas.hpp"
#include "libcore/math/repeatable.hpp"

#include <algorithm>

namespace logpx::kaem {
namespace {

std::vector<std::string> terms_of(const KaemModel& model) {
  std::vector<std::string> terms = {"objective", "ess", "resampled"};
  if (measures_distance(model)) terms.emplace_back("recon_sq_error");
  return terms;
}

// Weights of all samples for each row. Its sums: the terms, the weights of samples, the slopes of
// heads, and the effective size of each row.
class WeightsPhase final : public Phase {
 public:
  explicit WeightsPhase(const WeightParts& parts)
      : Phase({.name = "weights",
               .terms = terms_of(parts.model),
               .extra_sums = std::ssize(parts.step.weights) + parts.step.slope_count(),
               .sums_per_row = 1,
               .gradient = false,
               .update = Update::none}),
        model_(parts.model),
        row_weights_(parts.options),
        rows_(parts.rows),
        step_(parts.step),
        pairs_(parts.pairs) {}

  void begin(const MicroBatch& batch) override {
    if (batch.first > 0) return;
    heads_.assign(step_.heads.begin(), step_.heads.end());
    pairs_.take(heads_, step_.draws.count);
    if (measures_distance(model_)) find_means();
  }

  void run(const Shard& shard, std::span<const float>, const ShardSums& sums) override {
    single_threaded_kernels();
    const ComputedBy how(step_.numerics);
    const std::size_t samples = step_.weights.size(), dims = at(model_.dims());
    const auto lent = memory_.lend();
    take_rows_of_shard(model_, rows_, shard, lent->x);
    const std::span<const float> x = lent->x;
    lent->log_p.resize(at(shard.count) * samples);
    lent->weights.resize(lent->log_p.size());
    pairs_.log_prob(x, lent->log_p);
    const double share = 1 / static_cast<double>(shard.step_count);
    const std::span<double> shared = sums.terms.subspan(settings().terms.size(), samples);
    const std::span<double> sizes =
        sums.terms.subspan(settings().terms.size() + at(settings().extra_sums));
    for (std::size_t i = 0; i < at(shard.count); ++i) {
      const auto own = std::span<const double>(lent->log_p).subspan(i * samples, samples);
      const auto w = std::span(lent->weights).subspan(i * samples, samples);
      const RowWeights::Outcome outcome = row_weights_.weigh(shard, i, own, w, lent->of_row);
      sizes[at(shard.first) + i] = outcome.ess;
      sums.terms[1] += outcome.ess * share;
      if (outcome.resampled) sums.terms[2] += share;
      for (std::size_t k = 0; k < samples; ++k) {
        w[k] *= share;
        if (w[k] == 0) continue;
        shared[k] += w[k];
        sums.terms[0] -= w[k] * own[k];
        if (!means_.empty()) sums.terms[3] += w[k] * squared_distance(x.subspan(i * dims, dims), k);
      }
    }
    std::vector<std::span<double>>& slopes = lent->slopes;
    slopes.clear();
    std::size_t first = settings().terms.size() + samples;
    for (const std::vector<double>& slope : step_.slopes) {
      slopes.push_back(sums.terms.subspan(first, slope.size()));
      first += slope.size();
    }
    pairs_.add_slopes(x, lent->weights, slopes);
  }

  void finish(const StepPlace& place, const PhaseSums& sums) override {
    std::span<const double> rest = sums.terms.subspan(settings().terms.size());
    const auto take = [&rest](std::vector<double>& to) {
      std::copy_n(rest.begin(), to.size(), to.begin());
      rest = rest.subspan(to.size());
    };
    take(step_.weights);
    for (std::vector<double>& slope : step_.slopes) take(slope);
    step_.note_sizes(place, rest.first(at(place.rows)));
  }

 private:
  // What one thread works with.
  struct Memory {
    std::vector<float> x;
    std::vector<double> log_p, weights;
    std::vector<std::span<double>> slopes;
    RowWeights::Memory of_row;
  };
  void find_means() {
    const std::size_t samples = step_.weights.size(), dims = at(model_.dims());
    means_.resize(samples * dims);
    Likelihood::HeadValues& heads = sample_heads_;
    heads.resize(step_.heads.size());
    for (std::size_t k = 0; k < samples; ++k) {
      for (std::size_t h = 0; h < heads.size(); ++h) {
        const std::span<const float> all = step_.heads[h];
        const std::size_t own = all.size() == 1 ? 1 : all.size() / samples;
        heads[h] = all.subspan(all.size() == 1 ? 0 : k * own, own);
      }
      for (std::size_t d = 0; d < dims; ++d)
        means_[k * dims + d] = static_cast<float>(model_.likelihood().mean(heads, d));
    }
  }
  [[nodiscard]] double squared_distance(std::span<const float> x, std::size_t sample) const {
    const float* const mean = means_.data() + sample * x.size();
    double sum = 0;
    for (std::size_t d = 0; d < x.size(); ++d) {
      const double off = static_cast<double>(x[d]) - static_cast<double>(mean[d]);
      sum += off * off;
    }
    return sum;
  }

  const KaemModel& model_;
  RowWeights row_weights_;
  const TrainingRows& rows_;
  ImportanceStep& step_;
  LikelihoodPairs& pairs_;
  Spares<Memory> memory_;
  Likelihood::HeadValues heads_, sample_heads_;
  std::vector<float> means_;  // [S,D]
};

}  // namespace

void PosteriorPoints::resize(std::int64_t samples) {
  resize_draws(values.form, samples, draws);
  s.resize(at(samples * values.form.n_q));
  by_s.resize(s.size());
  weights.resize(at(samples));
}

ImportanceStep::ImportanceStep(const KaemModel& model, const FitOptions& options)
    : PosteriorPoints(model.prior_form()) {
  const auto samples = at(options.samples);
  resize(options.samples);
  if (model.generator().takes_tokens()) return;
  for (const HeadForm& head : model.likelihood().heads())
    heads.emplace_back(head.shared ? 1 : samples * at(model.dims() * head.per_dim));
  for (const auto& head : heads) slopes.emplace_back(head.size());
}

std::int64_t ImportanceStep::slope_count() const {
  std::int64_t count = 0;
  for (const std::vector<double>& slope : slopes) count += std::ssize(slope);
  return count;
}

std::unique_ptr<Phase> weights_phase(const WeightParts& parts) {
  return std::make_unique<WeightsPhase>(parts);
}

}  // namespace logpx::kaem
