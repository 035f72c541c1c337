#include "libcore/eval/methods.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace logpx {
namespace {

std::vector<double> differences(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> result(a.size());
  std::ranges::transform(a, b, result.begin(), [](double x, double y) { return x - y; });
  return result;
}

}  // namespace

std::vector<std::string> methods_of(const Model& model) {
  std::vector<std::string> methods = model.info().methods;
  const ModelLatents* latents = model.latents();
  if (latents == nullptr) return methods;
  const auto add = [&](const char* name) {
    if (std::ranges::find(methods, name) == methods.end()) methods.emplace_back(name);
  };
  if (latents->has_posterior()) add("iwae");
  add("ais");
  add("quadrature");
  add("reciprocal");
  return methods;
}

Evaluator::Evaluator(const Model& model, const MethodSettings& settings, Rng rng)
    : model_(model), settings_(settings), rng_(rng) {
  const std::vector<std::string> methods = methods_of(model);
  if (methods.empty()) fail(ErrorKind::usage, "this " + model.info().family, "cannot be scored");
  if (settings_.method == "auto") settings_.method = methods.front();
  if (std::ranges::find(methods, settings_.method) == methods.end())
    fail(ErrorKind::usage, "--method " + settings_.method,
         "is nothing for this " + model.info().family + "; it takes " + join_text(methods, ", "));
  if (settings_.det) prepare_coder();
  if (is_own()) return;
  if (settings_.method == "quadrature") check_quadrature(*model.latents(), quadrature_options());
  if (settings_.method == "reciprocal") check_reciprocal(*model.latents(), settings_.reciprocal);
}

QuadratureOptions Evaluator::quadrature_options() const {
  const Proposal best = model_.latents()->has_posterior() ? Proposal::posterior : Proposal::prior;
  return {settings_.nodes, settings_.chunk, settings_.around.value_or(best)};
}

bool Evaluator::is_own() const {
  const auto& own = model_.info().methods;
  return std::ranges::find(own, settings_.method) != own.end();
}

std::int64_t Evaluator::samples() const {
  if (settings_.samples > 0 || is_own()) return settings_.samples;
  if (settings_.method == "iwae") return IwaeOptions().samples;
  return settings_.method == "ais" ? settings_.ais.chains : ReciprocalOptions().samples;
}

// The coder knows one method, the model's first, and what it computes from the default knobs.
void Evaluator::prepare_coder() {
  const ModelCodec* codec = model_.codec();
  if (codec == nullptr)
    fail(ErrorKind::usage, "--det", "this " + model_.info().family + " does not code");
  if (settings_.method != model_.info().methods.front())
    fail(ErrorKind::usage, "--det", "does nothing with --method " + settings_.method);
  Workers alone(1);
  plan_ = codec->plan();
  scheme_ = plan_->scheme(alone);
}

Scores Evaluator::score_once(const Examples& examples, Rng rng) const {
  if (!scheme_)
    return model_.score(examples, {settings_.method, settings_.samples, settings_.chunk}, rng);
  Workers alone(1);
  return {.kind = plan_->kind(),
          .nats = coder_scores(*scheme_, *model_.codec(), examples, rng, alone)};
}

Scores Evaluator::score_own(const Examples& examples) const {
  Scores scores = score_once(examples, rng_);
  if (scores.kind == Bound::exact || !scores.mc_std_error.empty()) return scores;
  // Two estimates of variance s^2 differ by 2 s^2 in the mean square.
  const Words4 words = rng_.stream(Stream::evaluation, 0xffffffff).block(0);
  const Rng other((std::uint64_t{words[0]} << 32) | words[1]);
  const Scores again = score_once(examples, other);
  for (std::size_t i = 0; i < scores.nats.size(); ++i)
    scores.mc_std_error.push_back(std::abs(scores.nats[i] - again.nats[i]) / std::numbers::sqrt2);
  return scores;
}

Scores Evaluator::score_latents(const LatentBlock& block) const {
  if (settings_.method == "iwae") return iwae(block, {samples(), settings_.chunk});
  if (settings_.method == "ais") return ais(block, settings_.ais);
  if (settings_.method == "quadrature") return quadrature(block, quadrature_options());
  ReciprocalOptions options = settings_.reciprocal;
  options.samples = samples();
  return reciprocal(block, options);
}

Scores Evaluator::score(const Examples& examples) const {
  if (is_own()) return score_own(examples);
  Scores scores = score_latents({*model_.latents(), examples, rng_});
  if (model_.info().surrogate) scores.kind = Bound::surrogate;
  return scores;
}

Gap measure_gap(const EvalRows& rows, Workers& workers, const Model& model, const Scored& evidence,
                const GapSettings& settings, Rng rng) {
  const ModelLatents* latents = model.latents();
  if (latents == nullptr || !latents->has_posterior())
    fail(ErrorKind::usage, "--gap", "needs a model with an encoder");
  const Scored bounds = score_rows(rows, workers, [&](const Examples& examples) {
    const LatentBlock block{*latents, examples, rng};
    const Posterior q = latents->encode(examples);
    Scores scores{.kind = Bound::lower_bound};
    scores.nats = elbo_of(block, q, settings.draws);
    const Posterior refined = refine(block, q, settings.refine);
    scores.facts = {{"refined", elbo_of(block, refined, settings.draws)}};
    return scores;
  });
  const std::vector<double>& refined = bounds.facts[0].second;
  return {.elbo = mean_of(bounds.nats, Bound::lower_bound),
          .refined_elbo = mean_of(refined, Bound::lower_bound),
          .total = mean_of(differences(evidence.nats, bounds.nats), Bound::estimate),
          .amortisation = mean_of(differences(refined, bounds.nats), Bound::estimate),
          .approximation = mean_of(differences(evidence.nats, refined), Bound::estimate)};
}

SimulatedBounds simulate_bounds(const Model& model, std::int64_t count, const AisOptions& options,
                                Rng rng, Workers& workers) {
  const ModelLatents& latents = *model.latents();
  const JointSamples samples = draw_joint(latents, 0, count, rng);
  DatasetInfo info = model.info().samples;
  info.n = count;
  MemoryRows data(info, samples.rows);
  const auto dims = static_cast<std::size_t>(latents.dims());
  const EvalRows rows{.data = data, .begin = 0, .end = count, .block = model.info().block};
  const Scored scored = score_rows(rows, workers, [&](const Examples& examples) {
    const auto z =
        std::span(samples.z).subspan(static_cast<std::size_t>(examples.first) * dims,
                                     static_cast<std::size_t>(examples.rows.count) * dims);
    Bracket bracket = bracket_evidence({latents, examples, rng}, z, options);
    Scores scores{.kind = Bound::stochastic_lower_bound};
    scores.nats = std::move(bracket.lower);
    scores.facts = {{"upper", std::move(bracket.upper)}};
    return scores;
  });
  const std::vector<double>& upper = scored.facts[0].second;
  return {.lower = mean_of(scored.nats, Bound::stochastic_lower_bound),
          .upper = mean_of(upper, Bound::upper_bound),
          .distance = mean_of(differences(upper, scored.nats), Bound::estimate)};
}

}  // namespace logpx
