#include "libcore/families/kaem/training/fit_options.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/det/functions.hpp"

#include <algorithm>
#include <cmath>

namespace logpx::kaem {
namespace {

constexpr std::int64_t samples_of_symbols = 8;

Condition frozen(const FitOptions& o) {
  return {[&o] { return !o.trains("prior"); }, "--freeze prior"};
}

Condition still(const FitOptions& o) {
  return {[&o] { return o.no_grid_update; }, "--no-grid-update"};
}

void describe_importance(Fields& f, FitOptions& o) {
  const auto weighs = [&o] { return o.langevin.posterior == PosteriorKind::importance; };
  const auto contrasts = [&o] {
    return o.trains("prior") && o.prior_grad == PriorSignal::contrast;
  };
  const Condition weights{weighs, "--posterior is"},
      none{[&o] { return o.resampler == Resampler::none; }, "--resampler none"};
  f.group("model");
  f.add("samples", o.samples, "prior samples of an update")
      .about(
          "All rows of an update share these samples, which the generator decodes once: time and "
          "memory grow with them. Where few of them explain a row, take more of them, or chains "
          "(--posterior). A generator that sees the symbols of a row goes through each row under "
          "each sample.")
      .shows_default("100; seq: 8")
      .range(1, 1 << 20)
      .source("KAEM tab. 4")
      .when({[=] { return weighs() || contrasts(); }, "--posterior is, or with --prior-grad cd"});
  f.group("objective");
  f.add("k", o.k, "importance weights per example")
      .range(1, 1 << 16)
      .when({[&o] { return o.langevin.has_encoder(); }, "--posterior encoder"})
      .rank(Rank::manual);
  f.add("resampler", o.resampler,
        {{"residual", Resampler::residual, "whole copies first, the rest by chance: little noise"},
         {"systematic", Resampler::systematic, "one uniform number for all"},
         {"stratified", Resampler::stratified, "one uniform number for each sample"},
         {"multinomial", Resampler::multinomial, "each on its own: the most noise"},
         {"none", Resampler::none, "keep the weights"}},
        "how samples are drawn again by their weights")
      .when(weights)
      .rank(Rank::manual);
  f.add("ess", o.ess, "draw again where effective samples are fewer than this share")
      .range(0, 1)
      .when(weights)
      .unless(none)
      .rank(Rank::manual);
}

void describe_learning(Fields& f, FitOptions& o) {
  f.add("prior-grad", o.prior_grad,
        {{"auto", PriorSignal::automatic, "pathwise with --coupling shared, else quadrature"},
         {"quadrature", PriorSignal::quadrature, "the prior's part by integrals, exactly"},
         {"cd", PriorSignal::contrast, "the prior's part from its samples"},
         {"pathwise", PriorSignal::pathwise, "through the samples z themselves"},
         {"score", PriorSignal::score, "by the log-density of the samples, with a baseline"}},
        "gradient of the prior")
      .shows_default("pathwise with --coupling shared, else quadrature")
      .unless(frozen(o))
      .rank(Rank::manual);
  f.add("its", o.its,
        {{"exact", Inversion::exact, "to 1e-10: slow"},
         {"hermite", Inversion::hermite, "cubic pieces of the inverse: fast, and nearly exact"},
         {"cells", Inversion::cells, "exact within cells of a table"},
         {"nodes", Inversion::nodes, "partial sums of a rule at its nodes, for comparison only"}},
        "inverse of the distribution functions while training")
      .rank(Rank::manual);
  f.add("train-noise", o.train_noise, "noise before the activation of the mean")
      .range(0, 1e3)
      .rank(Rank::manual);
  f.add("alpha-reg", o.alpha_reg,
        {{"none", WeightPenalty::none, "nothing"},
         {"entropy", WeightPenalty::entropy, "makes them sparse"},
         {"l1-logits", WeightPenalty::l1_logits, "balances them"}},
        "penalty of the weights of mixtures: entropy makes them sparse, l1-logits balances them")
      .refuses("l1", "is the same for all weights, which add up to 1: its gradient is 0",
               "--alpha-reg entropy, or --alpha-reg l1-logits")
      .unless(frozen(o))
      .when({[&o] { return o.alpha_reg == WeightPenalty::none || o.lambda_alpha > 0; },
             "--lambda-alpha"})
      .rank(Rank::manual);
  f.add("lambda-alpha", o.lambda_alpha, "factor on that penalty")
      .range(0, 1e6)
      .unless(frozen(o))
      .when({[&o] { return o.alpha_reg != WeightPenalty::none; }, "--alpha-reg"})
      .rank(Rank::manual);
  f.add("l2-energy", o.l2_energy, "penalty of the mean square of energies")
      .range(0, 1e6)
      .unless(frozen(o))
      .rank(Rank::manual);
  f.add("freeze", o.freeze, "parts that stay as they are: prior, generator")
      .metavar("PART,...")
      .rank(Rank::manual);
  f.add("lr-prior", o.lr_prior, "learning rate of the prior; 0: that of --lr")
      .range(0, 1e3)
      .unless(frozen(o))
      .rank(Rank::manual);
  f.add("strict", o.strict, "refuse data where no mean of x can lie, instead of a warning")
      .rank(Rank::manual);
  f.add("eval-samples", o.eval_samples, "prior samples of the evidence on validation rows")
      .shows_default("1000; 8 with --generator seq")
      .unless({[&o] { return o.langevin.has_encoder(); }, "--posterior encoder"})
      .range(1, 1 << 24)
      .rank(Rank::manual);
}

void describe_grids(Fields& f, FitOptions& o) {
  f.group("grids");
  f.add("grid-every", o.grid_every, "updates between two fits of the grids")
      .range(1, 1e9)
      .source("KAEM tab. 4")
      .unless(still(o))
      .rank(Rank::manual);
  f.add("grid-decay", o.grid_decay, "pauses between fits grow by (2 - R)^update")
      .range(0.5, 1)
      .unless(still(o))
      .rank(Rank::manual);
  f.add("grid-ratio", o.grid_ratio, "share of evenly spaced points in a grid")
      .range(0, 1)
      .unless(still(o))
      .rank(Rank::manual);
  f.add("grid-pad", o.grid_pad, "how far ends move out, as a share of the range")
      .range(0, 10)
      .unless(still(o))
      .rank(Rank::manual);
  f.add("no-grid-update", o.no_grid_update, "keep grids and domains as they are")
      .rank(Rank::manual);
  f.add("grid-targets", o.grid_targets,
        {{"prior", GridTargets::prior, "those of the energies"},
         {"generator", GridTargets::generator, "those of the generator's curves"},
         {"prior+generator", GridTargets::both, "both"}},
        "whose grids move")
      .unless(still(o))
      .rank(Rank::manual);
}

void check_encoder(const FitOptions& o) {
  if (o.prior_grad != PriorSignal::automatic && o.prior_grad != PriorSignal::pathwise)
    fail(ErrorKind::usage, "--prior-grad",
         "can only be pathwise with --posterior encoder: its draws are normal scores, which the "
         "prior turns into z",
         "--prior-grad pathwise");
  if (!o.trains("prior") && o.penalties.on())
    fail(ErrorKind::usage, "--lambda-reg",
         "needs a prior that is trained, with --posterior encoder", "leave out --freeze prior");
}

void check_chains(const FitOptions& o, const PriorForm& form) {
  o.langevin.validate(form);
  const bool pathwise = o.trains("prior") && o.signal(form) == PriorSignal::pathwise;
  if (!o.langevin.has_chains() || !pathwise) return;
  if (o.langevin.support != Support::u_space)
    fail(ErrorKind::usage, "--prior-grad pathwise",
         "follows z at fixed uniforms, which chains in z do not have",
         "--prior-grad quadrature, or --support u-space");
  if (rung_shares(o.langevin, o.langevin.temperatures(0, 0)).back() == 0)
    fail(ErrorKind::usage, "--ti-rule left",
         "gives no share to t = 1, where a prior learns whose gradient is pathwise",
         "--ti-rule trapezoid");
}

}  // namespace

void FitOptions::describe(Fields& f) {
  langevin.describe(f);
  f.find_option("--grid-samples")->unless(still(*this));
  describe_importance(f, *this);
  describe_learning(f, *this);
  describe_grids(f, *this);
  penalties.describe(f);
}

void FitOptions::settle(const Config& config, const Fields& given) {
  const bool on_its_own =
      config.generator.kind == GeneratorKind::seq && config.generator.autoregressive;
  if (!on_its_own) return;
  const auto is_said = [&given](const char* option) {
    const Field* const field = given.find_option(option);
    return field != nullptr && field->origin() >= Origin::config;
  };
  if (!is_said("--samples")) samples = samples_of_symbols;
  if (!is_said("--eval-samples")) eval_samples = samples_of_symbols;
}

void FitOptions::validate(const Config& config) const {
  for (const std::string& part : freeze)
    if (part != "prior" && part != "generator")
      fail(ErrorKind::usage, "--freeze", "'" + part + "' is not one of: prior, generator");
  if (freeze.size() > 1 && freeze[0] != freeze[1])
    fail(ErrorKind::usage, "--freeze", "names both parts, which leaves nothing to train",
         "--freeze prior, or --freeze generator");
  penalties.validate(config);
  if (config.generator.batch_norm && langevin.posterior != PosteriorKind::importance)
    fail(ErrorKind::usage, "--batchnorm",
         "normalises over samples of the prior, and samples of posteriors are not that",
         "--posterior is");
  const PriorForm form = config.prior_form();
  const bool mixture = form.is_mixture();
  if (langevin.has_encoder()) check_encoder(*this);
  if (alpha_reg != WeightPenalty::none && config.alpha != MixtureWeights::learned)
    fail(ErrorKind::usage, "--alpha-reg", "needs weights that are learned",
         std::string(mixture ? "" : "--prior mixture ") + "--alpha learned");
  if (prior_grad == PriorSignal::pathwise && mixture && !langevin.has_encoder())
    fail(ErrorKind::usage, "--prior-grad pathwise",
         "is for univariate priors; a mixture has densities to differentiate",
         "--prior-grad quadrature");
  if (form.is_shared() &&
      (prior_grad == PriorSignal::quadrature || prior_grad == PriorSignal::contrast))
    fail(ErrorKind::usage, "--prior-grad",
         "needs independent latents: with shared uniforms z has no density",
         "--prior-grad pathwise, or --coupling independent");
  check_chains(*this, form);
}

CouplingChoice FitOptions::usual_coupling(PriorKind prior) const {
  const bool shared = prior == PriorKind::univariate && !langevin.has_chains();
  return shared ? CouplingChoice::shared : CouplingChoice::independent;
}

PriorSignal FitOptions::signal(const PriorForm& form) const {
  if (langevin.has_encoder()) return PriorSignal::pathwise;
  if (prior_grad != PriorSignal::automatic) return prior_grad;
  return form.is_shared() ? PriorSignal::pathwise : PriorSignal::quadrature;
}

bool FitOptions::trains(const std::string& part) const {
  return std::ranges::find(freeze, part) == freeze.end();
}

std::vector<std::string> FitOptions::trained() const {
  std::vector<std::string> parts = {"prior", "generator"};
  std::erase_if(parts, [&](const std::string& part) { return !trains(part); });
  return parts;
}

bool FitOptions::moves_grids(GridTargets target) const {
  if (no_grid_update || !trains(target == GridTargets::prior ? "prior" : "generator")) return false;
  return grid_targets == GridTargets::both || grid_targets == target;
}

bool GridCalendar::due(std::int64_t step) const {
  double next = 0, pause = static_cast<double>(every_);
  const auto wanted = static_cast<double>(step);
  while (next < wanted) {
    next += pause;
    pause = std::floor(pause *
                       det_exp((next + 1) * det_log(2 - decay_)));  // updates count from 1 there
  }
  return next == wanted;
}

}  // namespace logpx::kaem
