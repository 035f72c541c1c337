#include "libcore/families/kaem/importance_scoring.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/families/kaem/model.hpp"
#include "libcore/families/kaem/prior/prior_draws.hpp"
#include "libcore/math/blas.hpp"
#include "libcore/math/resample.hpp"
#include "libcore/model/common_errors.hpp"

#include <cmath>
#include <numeric>
#include <string>

namespace logpx::kaem {
namespace {

constexpr std::int64_t samples_of_symbols = 20;

class ImportanceScoring final : public ScoringPlan {
 public:
  explicit ImportanceScoring(const KaemModel& model) : model_(model) {
    if (model.generator().takes_tokens()) settings_.samples = samples_of_symbols;
  }
  void describe(Fields& fields) override { settings_.describe(fields); }
  [[nodiscard]] std::int64_t draws() const override { return settings_.samples; }

  [[nodiscard]] Scores score(const Examples& examples, Rng rng) const override {
    single_threaded_kernels();
    const std::vector<float> s = draw_sums(examples.first / model_.info().block, rng);
    const std::unique_ptr<SampleScores> scores = sample_scores(model_, {});
    scores->take(model_.param_set().block(), s);
    std::vector<float> x(at(examples.rows.count * model_.dims()));
    model_.reader().take_supported(examples, x);
    ImportanceRows rows = importance_rows(*scores, x, examples.first);
    for (double& nats : rows.nats) nats += model_.reader().log_jacobian();
    return {
        .kind = Bound::stochastic_lower_bound,
        .nats = std::move(rows.nats),
        .mc_std_error = std::move(rows.std_error),
        .facts = {{"ess", std::move(rows.ess)}, {shared_noise_fact, std::move(rows.shared_noise)}}};
  }

 private:
  // s of the draws that a block of examples shares.
  [[nodiscard]] std::vector<float> draw_sums(std::int64_t block, Rng rng) const {
    const PriorForm& form = model_.prior_form();
    PriorDraws draws;
    resize_draws(form, settings_.samples, draws);
    prior_uniforms(form, rng.stream(Stream::evaluation, static_cast<std::uint32_t>(block)), 0,
                   draws.u);
    DrawSpace space;
    for (std::int64_t f = 0; f < form.features(); ++f)
      draw_feature(model_.components(), f, draws, space);
    std::vector<float> s(at(settings_.samples * form.n_q));
    latent_sums(form, draws, s);
    return s;
  }

  const KaemModel& model_;
  ImportanceSettings settings_;
};

}  // namespace

void ImportanceSettings::describe(Fields& fields) { add_samples(fields, samples); }

std::unique_ptr<ScoringPlan> make_importance_scoring(const KaemModel& model) {
  return std::make_unique<ImportanceScoring>(model);
}

double weigh_samples(std::int64_t row, std::span<const double> log_p, std::span<double> w) {
  try {
    return importance_weights(log_p, w);
  } catch (const Error& error) {
    throw Error(error.kind(), "row " + std::to_string(row),
                "no sample of the prior gives it a probability that can be weighed (" +
                    error.subject() + ": " + error.message() + ")",
                "a larger --obs-std of fit-prior, or more --samples", error.where());
  }
}

ImportanceRows importance_rows(const SampleScores& scores, std::span<const float> x,
                               std::int64_t first) {
  const std::int64_t rows = std::ssize(x) / scores.dims(), samples = scores.samples();
  std::vector<double> log_p(at(rows * samples)), sums(at(samples));
  scores.log_prob(x, log_p);
  ImportanceRows all;
  for (std::int64_t b = 0; b < rows; ++b) {
    const auto weights = std::span(log_p).subspan(at(b * samples), at(samples));
    all.nats.push_back(weigh_samples(first + b, weights, weights));
    for (std::size_t s = 0; s < sums.size(); ++s) sums[s] += weights[s];
    const double ess = effective_size(weights);
    // The weights' variance over their squared mean is K / ess - 1.
    all.std_error.push_back(
        samples > 1 ? std::sqrt(std::max(1 / ess - 1 / static_cast<double>(samples), 0.0)) : 0);
    all.ess.push_back(ess);
  }
  // The noise of log mean w_s is sum_s (w_s - 1/K) to first order, for weights that sum to 1.
  for (std::int64_t b = 0; b < rows; ++b) {
    const auto weights = std::span(log_p).subspan(at(b * samples), at(samples));
    all.shared_noise.push_back(
        std::inner_product(weights.begin(), weights.end(), sums.begin(), 0.0) -
        static_cast<double>(rows) / static_cast<double>(samples));
  }
  return all;
}

}  // namespace logpx::kaem
