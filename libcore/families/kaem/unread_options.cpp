#include "libcore/families/kaem/unread_options.hpp"

#include "libcore/base/given_options.hpp"

namespace logpx::kaem {
namespace {

std::vector<OptionRule> rules_of_posterior(const FitOptions& fit) {
  const bool weights = !fit.langevin.has_chains();
  const bool fresh = fit.trains("prior") && fit.prior_grad == PriorSignal::contrast;
  return {
      {{"--resampler", "--ess"}, weights, "goes with --posterior is"},
      {{"--ess"}, fit.resampler != Resampler::none, "does nothing with --resampler none"},
      {{"--samples"}, weights || fresh, "goes with --posterior is, or with --prior-grad cd"},
      {{"--langevin-steps", "--eta", "--support", "--persistent", "--grid-samples"},
       !weights,
       "goes with --posterior ula, mala or automala"},
      {{"--eta-min", "--eta-max", "--unadjusted", "--precondition"},
       fit.langevin.posterior == PosteriorKind::automala,
       "goes with --posterior automala"},
  };
}

std::vector<OptionRule> rules_of_temperatures(const LangevinOptions& chains) {
  return {
      {{"--temps", "--p-start", "--p-end", "--p-cycles", "--swap", "--swap-every", "--swap-scope"},
       chains.objective != Objective::mle,
       "goes with --objective mle-pt or se"},
      {{"--ti-rule"}, chains.objective == Objective::se, "goes with --objective se"},
      {{"--p-start", "--p-end", "--p-cycles", "--swap", "--swap-every", "--swap-scope"},
       chains.rungs() > 1,
       "does nothing with --temps 1"},
      {{"--swap-every", "--swap-scope"},
       chains.swap != SwapRule::off,
       "does nothing with --swap off"},
  };
}

std::vector<OptionRule> rules_of_learning(const FitOptions& fit) {
  return {
      {{"--grid-every", "--grid-decay", "--grid-ratio", "--grid-pad", "--grid-targets",
        "--grid-samples"},
       !fit.no_grid_update,
       "does nothing with --no-grid-update"},
      {{"--mu-l1", "--mu-entropy", "--mu-coef", "--mu-steps", "--reg-targets"},
       fit.penalties.on(),
       "goes with --lambda-reg"},
      {{"--prior-grad", "--l2-energy", "--alpha-reg", "--lambda-alpha"},
       fit.trains("prior"),
       "does nothing with --freeze prior"},
      {{"--lambda-alpha"}, fit.alpha_reg != WeightPenalty::none, "goes with --alpha-reg"},
      {{"--alpha-reg"},
       fit.alpha_reg == WeightPenalty::none || fit.lambda_alpha > 0,
       "goes with --lambda-alpha"},
  };
}

std::vector<OptionRule> rules_of_curves(CurveBasis basis) {
  return {
      {{"--degree"},
       basis == CurveBasis::bspline || basis == CurveBasis::chebyshev,
       "goes with --basis bspline or chebyshev"},
      {{"--grid"}, basis != CurveBasis::chebyshev, "does nothing with --basis chebyshev"},
      {{"--tau", "--tau-fixed"}, basis != CurveBasis::bspline, "does nothing with --basis bspline"},
  };
}

std::vector<OptionRule> rules_of_generator(GeneratorKind kind) {
  const bool curves = kind == GeneratorKind::kan, convolutions = kind == GeneratorKind::cnn;
  return {
      {{"--hidden"}, !convolutions, "does nothing with --generator cnn"},
      {{"--channels", "--kernel", "--strides", "--pads", "--latent-concat", "--batchnorm",
        "--leaky-slope"},
       convolutions,
       "goes with --generator cnn"},
      {{"--layer-norm"}, curves || kind == GeneratorKind::mlp, "goes with --generator kan or mlp"},
      {{"--range-fix"}, curves, "goes with --generator kan"},
      {{"--autoregressive"}, kind == GeneratorKind::seq, "goes with --generator seq"},
  };
}

std::vector<OptionRule> rules_of_likelihood(const Config& config) {
  const bool drawn = parse_binarisation(config.reading.binarise).rule == Binarise::fixed;
  return {
      {{"--obs-std"},
       config.has_one_deviation(),
       "goes with --likelihood gaussian-fixed or discretised-gaussian"},
      {{"--mean-activation"},
       config.has_normal_mean(),
       "goes with --likelihood gaussian, gaussian-fixed or discretised-gaussian"},
      {{"--binarise-seed"}, drawn, "goes with --binarise static"},
  };
}

}  // namespace

void refuse_unread(const Settings& settings, const Fields& given) {
  const Config& model = settings.model;
  for (const std::vector<OptionRule>& rules :
       {rules_of_posterior(settings.fit), rules_of_temperatures(settings.fit.langevin),
        rules_of_learning(settings.fit), rules_of_curves(model.curves.basis),
        rules_of_generator(model.generator.kind), rules_of_likelihood(model)})
    logpx::refuse_unread(given, rules);
}

}  // namespace logpx::kaem
