#include "libcore/families/bound_scoring.hpp"

#include "libcore/base/index.hpp"
#include "libcore/families/bound_pass.hpp"
#include "libcore/math/blas.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace logpx {
namespace {

constexpr std::int64_t draws_at_a_time = 16;

class BoundScoring final : public ScoringPlan {
 public:
  BoundScoring(const EncodedModel& model, ExecutorPool& passes)
      : model_(model), passes_(passes), prior_(model.prior(model.param_set().block())) {}
  void describe(Fields& fields) override { settings_.describe(fields); }
  [[nodiscard]] std::int64_t draws() const override { return settings_.samples; }
  [[nodiscard]] Scores score(const Examples& examples, Rng rng) const override;

 private:
  const EncodedModel& model_;
  ExecutorPool& passes_;
  std::unique_ptr<const GaussianMixture> prior_;
  BoundSettings settings_;
};

Scores BoundScoring::score(const Examples& batch, Rng rng) const {
  single_threaded_kernels();
  const std::int64_t rows = batch.rows.count, draws = settings_.samples;
  const std::int64_t chunk =
      std::min(settings_.chunk > 0 ? settings_.chunk : draws_at_a_time, draws);
  const auto n = static_cast<std::size_t>(rows);
  // Sums of two halves, without a divergence in closed form; an odd draw goes to the second.
  std::vector<double> low(n), high(n);
  Scores scores{.kind = model_.kind(), .nats = {}, .mc_std_error = {}, .terms = {}};
  std::vector<double> recon(n), kl(n), drawn_sum(n);
  std::vector<float> x(n * static_cast<std::size_t>(model_.dims()));
  model_.reader().take_supported(batch, x);
  for (std::int64_t first = 0; first < draws; first += chunk) {
    const std::int64_t held = std::min(chunk, draws - first);
    BoundPass pass(model_, passes_, {rows, held});
    std::ranges::copy(x, pass.x().begin());
    pass.run(model_.param_set().block(), rng, {.row = batch.first, .draw = first});
    const std::vector<double> drawn =
        prior_ != nullptr ? pass.drawn_kl(*prior_) : std::vector<double>(at(held) * n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::int64_t l = 0; l < held; ++l) {
        const double drawn_kl = drawn[at(l) * n + i];
        (first + l < draws / 2 ? low : high)[i] +=
            pass.recon(l, static_cast<std::int64_t>(i)) - drawn_kl;
        drawn_sum[i] += drawn_kl;
      }
      kl[i] = prior_ != nullptr ? drawn_sum[i] / static_cast<double>(draws)
                                : pass.kl(static_cast<std::int64_t>(i));
    }
  }
  const auto half = static_cast<double>(draws / 2), rest = static_cast<double>(draws) - half;
  for (std::size_t i = 0; i < n; ++i) {
    recon[i] = (low[i] + high[i] + drawn_sum[i]) / static_cast<double>(draws);
    scores.nats.push_back(recon[i] - kl[i]);
    if (draws > 1) scores.mc_std_error.push_back(std::abs(low[i] / half - high[i] / rest) / 2);
  }
  scores.terms = {{"recon", std::move(recon)}, {"kl", std::move(kl)}};
  return scores;
}

}  // namespace

void BoundSettings::describe(Fields& fields) {
  add_samples(fields, samples);
  add_chunk(fields, chunk);
}

std::unique_ptr<ScoringPlan> make_bound_scoring(const EncodedModel& model, ExecutorPool& passes) {
  return std::make_unique<BoundScoring>(model, passes);
}

}  // namespace logpx
