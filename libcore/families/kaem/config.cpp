#include "libcore/families/kaem/config.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/model/fitting_likelihood.hpp"
#include "libcore/model/likelihood_options.hpp"
#include "libcore/model/missing_values.hpp"

#include <algorithm>
#include <cmath>

namespace logpx::kaem {
namespace {

void describe_prior(Fields& f, Config& c) {
  f.group("model");
  f.add("prior", c.prior,
        {{"univariate", PriorKind::univariate, "sums of independent numbers, one energy each"},
         {"mixture", PriorKind::mixture, "each number is of one of several energies"}},
        "what z is");
  f.add("latent", c.latent, "P and Q; without Q it is 2P + 1")
      .about(
          "P says how many numbers are free, Q how many the generator sees. Importance weights "
          "need more --samples as P grows; a larger Q makes only the generator larger.")
      .metavar("P[,Q]")
      .source("KAEM eq. 1");
  f.add("coupling", c.coupling,
        {{"auto", CouplingChoice::automatic,
          "shared for a univariate prior without chains, else independent"},
         {"shared", CouplingChoice::shared, "one uniform number per p serves all q"},
         {"independent", CouplingChoice::independent, "each q draws its own"}},
        "whether one uniform number per p serves all q")
      .shows_default("shared for a univariate prior with --posterior is")
      .rank(Rank::manual);
  f.add("base", c.base,
        {{"none", BaseMeasure::none, "no base: energies alone"},
         {"uniform", BaseMeasure::uniform, "between 0 and 1"},
         {"gaussian", BaseMeasure::gaussian, "a standard Gaussian"},
         {"lognormal", BaseMeasure::lognormal, "above 0, with a long tail"},
         {"learnable-gaussian", BaseMeasure::learnable_gaussian,
          "a Gaussian whose mean and width are learned"}},
        "the density that energies tilt");
  f.add("domain", c.domain, "where z lies")
      .metavar("A,B")
      .shows_default("by the base")
      .rank(Rank::manual);
  f.add("alpha", c.alpha,
        {{"fixed", MixtureWeights::fixed, "all alike"},
         {"learned", MixtureWeights::learned, "learned with the rest"}},
        "weights of a mixture")
      .rank(Rank::manual);
  f.add("quadrature", c.quadrature,
        {{"gauss-legendre", Quadrature::gauss_legendre, "exact for smooth curves with few nodes"},
         {"gauss-kronrod", Quadrature::gauss_kronrod, "the same with nested nodes"},
         {"trapezoid", Quadrature::trapezoid, "evenly spaced nodes, for comparison"}},
        "rule of normalisers while training")
      .rank(Rank::manual);
  f.add("nquad", c.nquad, "nodes of that rule").range(4, 2000).rank(Rank::manual);
}

void describe_curves(Fields& f, Config& c) {
  const auto on = [&c](CurveBasis basis) {
    return [&c, basis] { return c.curves.basis == basis; };
  };
  const Condition chebyshev{on(CurveBasis::chebyshev), "--basis chebyshev"},
      bspline{on(CurveBasis::bspline), "--basis bspline"},
      powers{[=] { return bspline.holds() || chebyshev.holds(); }, "--basis bspline or chebyshev"};
  f.group("curves");
  f.add("basis", c.curves.basis,
        {{"rbf", CurveBasis::rbf, "Gaussian bumps on a grid"},
         {"bspline", CurveBasis::bspline, "pieces of polynomials on a grid"},
         {"rswaf", CurveBasis::rswaf, "bumps by 1 - tanh^2, cheaper than rbf"},
         {"fourier", CurveBasis::fourier, "sines and cosines"},
         {"chebyshev", CurveBasis::chebyshev, "polynomials over the whole domain"}},
        "functions that curves are sums of")
      .rank(Rank::manual);
  f.add("grid", c.curves.intervals, "intervals of the grid; frequencies of fourier")
      .range(2, 500)
      .unless(chebyshev)
      .rank(Rank::manual);
  f.add("degree", c.curves.degree, "degree of bspline (1 to 5) and chebyshev (1 to 32)")
      .range(1, 32)
      .when(powers)
      .rank(Rank::manual);
  f.add("activation", c.activation,
        {{"none", Activation::none, "nothing"},
         {"relu", Activation::relu, "max(0, x)"},
         {"leakyrelu", Activation::leaky_relu, "0.01 x below 0"},
         {"silu", Activation::silu, "x sigmoid(x), smooth"},
         {"gelu", Activation::gelu_erf, "x Phi(x), smooth"},
         {"tanh", Activation::tanh, "between -1 and 1"},
         {"sigmoid", Activation::sigmoid, "between 0 and 1"},
         {"elu", Activation::elu, "e^x - 1 below 0"}},
        "what is added to the sum")
      .rank(Rank::manual);
  f.add("tau", c.tau, "width of the functions at the start")
      .range(1e-3, 1e3)
      .unless(bspline)
      .rank(Rank::manual);
  f.add("tau-fixed", c.tau_fixed, "keep the width").unless(bspline).rank(Rank::manual);
  f.add("eps-init", c.start.eps, "size of the first curves").range(0, 1e3).rank(Rank::manual);
  f.add("mu", c.start.mu, "constant part of the first weights of the activation")
      .range(-1e3, 1e3)
      .rank(Rank::manual);
  f.add("sigma-b", c.start.sigma_b, "random part of them").range(0, 1e3).rank(Rank::manual);
  f.add("sigma-s", c.start.sigma_s, "size of the first weights of the sums")
      .range(0, 1e3)
      .rank(Rank::manual);
}

void describe_generator(Fields& f, Config& c) {
  GeneratorForm& g = c.generator;
  const auto is = [&g](GeneratorKind kind) { return [&g, kind] { return g.kind == kind; }; };
  const Condition cnn{is(GeneratorKind::cnn), "--generator cnn"},
      kan{is(GeneratorKind::kan), "--generator kan"},
      seq{is(GeneratorKind::seq), "--generator seq"};
  f.group("generator");
  f.add("generator", g.kind,
        {{"kan", GeneratorKind::kan, "layers of learned curves"},
         {"cnn", GeneratorKind::cnn, "transposed convolutions, for pictures"},
         {"mlp", GeneratorKind::mlp, "dense layers"},
         {"seq", GeneratorKind::seq, "attention over positions, for symbols"}},
        "network from the sums of z to x")
      .rank(Rank::manual);
  f.add("hidden", c.hidden, "units of hidden layers, or auto:D: D layers of 2n + 1 each")
      .metavar("N,...|auto:D")
      .source("KAEM eq. 12")
      .unless(cnn)
      .rank(Rank::manual);
  f.add("channels", g.channels, "channels after each transposed convolution, those of x last")
      .metavar("N,...")
      .shows_default("by the size of the pictures")
      .when(cnn)
      .rank(Rank::manual);
  f.add("kernel", g.kernels, "sides of its kernels").metavar("N,...").when(cnn).rank(Rank::manual);
  f.add("strides", g.strides, "its strides").metavar("N,...").when(cnn).rank(Rank::manual);
  f.add("pads", g.pads, "its pads").metavar("N,...").when(cnn).rank(Rank::manual);
  f.add("latent-concat", g.latent_concat, "show the latents to every layer")
      .when(cnn)
      .rank(Rank::manual);
  f.add("batchnorm", g.batch_norm, "normalise each layer over the samples")
      .when(cnn)
      .rank(Rank::manual);
  f.add("layer-norm", g.layer_norm, "normalise the inputs of layers").when(kan).rank(Rank::manual);
  f.add("range-fix", g.range_fix,
        {{"none", RangeFix::none, "as they are"},
         {"sigmoid", RangeFix::sigmoid, "by a sigmoid"},
         {"affine", RangeFix::affine, "by the least and the greatest of a batch"}},
        "map the inputs of hidden layers to [0,1]")
      .when(kan)
      .rank(Rank::manual);
  f.add("leaky-slope", g.leaky_slope, "slope of the activation below 0")
      .range(0, 1)
      .when(cnn)
      .rank(Rank::manual);
  f.add("autoregressive", g.autoregressive, "see the symbol before each position")
      .when(seq)
      .rank(Rank::manual);
}

void describe_likelihood(Fields& f, Config& c) {
  f.group("model");
  f.add_word("likelihood", c.likelihood, likelihood_choices(), "p(x|z)")
      .about(
          "It says what kind of numbers x are, and so what log p(x) is a measure of: scores of two "
          "models can be compared only where both read x alike.")
      .shows_default("auto: by the data");
  f.add("obs-std", c.obs_std, "standard deviation of x, or learn")
      .about(
          "A small deviation makes sharp pictures, but then few samples of the prior explain a "
          "row: with --posterior is take more --samples, or take chains.")
      .metavar("R|learn")
      .when(read_by_likelihood(c.likelihood, LikelihoodOption::obs_std));
  f.add("mean-activation", c.mean_activation,
        {{"identity", Squash::none, "any mean"},
         {"sigmoid", Squash::sigmoid, "a mean between 0 and 1"},
         {"tanh", Squash::tanh, "a mean between -1 and 1"}},
        "activation of a Gaussian mean")
      .when(read_by_likelihood(c.likelihood, LikelihoodOption::squash))
      .rank(Rank::manual);
  f.group("data");
  c.reading.describe(f);
  f.add("pca", c.pca, "read x as its scores on so many principal axes; 0: x itself")
      .range(0, 1 << 16)
      .unset_while([&c] { return c.pca == 0; })
      .rank(Rank::manual);
  f.add("whiten", c.whiten, "divide those scores by their deviations")
      .unset_while([&c] { return !c.whiten; })
      .rank(Rank::manual);
  f.group("encoder");
  f.add("encoder-hidden", c.encoder_hidden, "hidden units of the encoder")
      .range(1, 1 << 20)
      .shows_default("500")
      .rank(Rank::manual);
}

struct Interval {
  double low, high;
};

// The domain where none is given.   [kaem/README 2.2]
Interval usual_domain(const Config& c) {
  if (c.prior == PriorKind::mixture && c.base != BaseMeasure::uniform &&
      c.base != BaseMeasure::lognormal)
    return {-1, 1};
  switch (c.base) {
    case BaseMeasure::none: return {-1.2, 1.2};
    case BaseMeasure::uniform: return {0, 1};
    case BaseMeasure::gaussian: return {-1.5, 1.5};
    case BaseMeasure::lognormal: return {0, 4};
    case BaseMeasure::learnable_gaussian: break;
  }
  return {-1, 1};
}

std::string listed(const std::vector<double>& numbers) {
  std::string text;
  for (const double number : numbers) text += (text.empty() ? "" : ",") + to_text(number);
  return text;
}

void check_domain(const Config& c) {
  const std::vector<double>& ends = c.domain;
  if (ends.empty()) return;
  if (ends.size() != 2 || !std::isfinite(ends[1] - ends[0]) || ends[0] >= ends[1])
    fail(ErrorKind::usage, "--domain",
         "is " + listed(ends) + ", expected two numbers A,B with A < B");
  const bool uniform = c.base == BaseMeasure::uniform, lognormal = c.base == BaseMeasure::lognormal;
  if ((uniform && (ends[0] >= 1 || ends[1] <= 0)) || (lognormal && ends[1] <= 0))
    fail(ErrorKind::usage, "--domain",
         "is " + listed(ends) + ", but the base measure has no mass on the domain: " +
             (uniform ? "uniform lies between 0 and 1" : "lognormal lies above 0"),
         uniform ? "--domain 0,1" : "--domain 0,4");
}

void check_latent(const std::vector<std::int64_t>& latent) {
  const auto fits = [](std::int64_t size) { return size >= 1 && size <= 1 << 16; };
  if (!latent.empty() && latent.size() <= 2 && std::ranges::all_of(latent, fits)) return;
  std::string given;
  for (const std::int64_t size : latent) given += (given.empty() ? "" : ",") + std::to_string(size);
  fail(ErrorKind::usage, "--latent",
       "is " + given + ", expected P or P,Q with numbers from 1 to 65536");
}

void check_sequence(const Config& c, const DatasetInfo& data) {
  if (c.generator.kind != GeneratorKind::seq) return;
  if (data.content == Content::image && c.pca == 0)
    fail(ErrorKind::usage, "--generator seq",
         "goes through x from position to position, and the data hold pictures",
         "--generator cnn, or --generator kan");
  if (c.generator.autoregressive && c.likelihood != "categorical")
    fail(ErrorKind::usage, "--generator seq",
         "sees the symbol before each position, and --likelihood " + c.likelihood +
             " makes numbers, not symbols",
         std::string("--no-autoregressive") +
             (data.levels > 0 ? ", or --likelihood categorical" : ""));
}

void check_curves(const Config& c) {
  if (c.curves.basis == CurveBasis::bspline && c.curves.degree > 5)
    fail(ErrorKind::usage, "--degree",
         "is " + std::to_string(c.curves.degree) + ", but B-splines have a degree from 1 to 5",
         "--degree 3");
  if (c.curves.basis == CurveBasis::chebyshev && c.tau < 1)
    fail(ErrorKind::usage, "--tau",
         "is " + to_text(c.tau) + ", but --basis chebyshev takes numbers from 1", "--tau 1");
  if (c.quadrature == Quadrature::gauss_kronrod && c.nquad < 5)
    fail(
        ErrorKind::usage, "--nquad",
        "is " + std::to_string(c.nquad) + ", but --quadrature gauss-kronrod takes at least 5 nodes",
        "--nquad 21");
}

}  // namespace

void Config::describe(Fields& f) {
  describe_prior(f, *this);
  describe_curves(f, *this);
  describe_generator(f, *this);
  describe_likelihood(f, *this);
}

std::string Config::settle(const DatasetInfo& data, const Fields& given) {
  const auto is_said = [&given](const char* option) {
    const Field* const field = given.find_option(option);
    return field != nullptr && field->origin() >= Origin::config;
  };
  std::string note;
  if (likelihood == automatic_likelihood) {
    LikelihoodsByData usual{.pictures = "gaussian-fixed", .levels = "discretised-gaussian"};
    const bool deviates = is_said("--obs-std"), normal = deviates || is_said("--mean-activation");
    if (normal || pca > 0) usual.bits = "gaussian-fixed";
    if (deviates || pca > 0 || data.levels > 0 || holds_grey(data)) usual.reals = "gaussian-fixed";
    FittingLikelihood fitting = fitting_likelihood(data, reading, usual);
    likelihood = fitting.word;
    if (!normal) note = fitting.note;
  }
  const bool anywhere = data.levels == 0 && !reading.binarises() && !holds_grey(data);
  if (anywhere && pca == 0 && !is_said("--mean-activation")) mean_activation = Squash::none;
  return note;
}

void Config::check_prior() const {
  check_latent(latent);
  check_domain(*this);
  check_curves(*this);
  const bool mixture = prior == PriorKind::mixture;
  if (mixture && coupling == CouplingChoice::shared)
    fail(ErrorKind::usage, "--coupling shared",
         "is for univariate priors; a mixture draws each of its Q numbers on its own",
         "--coupling independent");
  if (!mixture && alpha == MixtureWeights::learned)
    fail(ErrorKind::usage, "--alpha learned", "is for mixtures; a univariate prior has no weights",
         "--prior mixture, or --alpha fixed");
}

Extents Config::extents(const DatasetInfo& data) const {
  return pca > 0 ? Extents{.dims = pca} : extents_of(data);
}

void Config::check_axes(const DatasetInfo& data) const {
  if (whiten && pca == 0)
    fail(ErrorKind::usage, "--whiten", "is for the scores that --pca makes", "--pca 8");
  if (pca == 0) return;
  if (pca > data.dims())
    fail(ErrorKind::usage, "--pca",
         "is " + std::to_string(pca) + ", but x has " + std::to_string(data.dims()) + " numbers");
  if (values_of_likelihood(likelihood) != ValuesOfX::reals)
    fail(ErrorKind::usage, "--pca",
         "makes real numbers, but --likelihood " + likelihood + " takes other data",
         std::string("--likelihood gaussian-fixed") +
             (reading.binarises() ? " --binarise none" : ""));
  const bool gaussian = likelihood.starts_with("gaussian");
  if (gaussian && mean_activation != Squash::none)
    fail(ErrorKind::usage, "--pca",
         "makes numbers of any size, and --mean-activation keeps the mean of x in an interval",
         "--mean-activation identity");
}

PriorForm Config::prior_form() const {
  const Interval usual = usual_domain(*this);
  PriorForm form(prior, latent[0], latent.size() > 1 ? latent[1] : 2 * latent[0] + 1);
  form.coupling =
      coupling == CouplingChoice::independent ? Coupling::independent : Coupling::shared;
  form.weights = alpha;
  form.scales = start;
  EnergyForm& energies = form.energies;
  energies.curves = curves;
  energies.activation = activation;
  energies.tau = tau_fixed ? TauKind::fixed : TauKind::trainable;
  energies.start_tau = tau;
  energies.base = base;
  energies.low = domain.empty() ? usual.low : domain[0];
  energies.high = domain.empty() ? usual.high : domain[1];
  energies.quadrature = quadrature;
  energies.nodes = nquad;
  return form;
}

GeneratorForm Config::generator_form(const Extents& extents) const {
  const PriorForm form = prior_form();
  GeneratorForm shape = generator;
  shape.hidden = hidden_widths(hidden, form.n_q);
  shape.activation = activation;
  shape.low = form.energies.low;
  shape.high = form.energies.high;
  shape.spline = {.basis = curves.basis,
                  .intervals = curves.intervals,
                  .degree = curves.degree,
                  .base = activation,
                  .width = tau_fixed ? CurveWidth::fixed : CurveWidth::trainable,
                  .tau = tau,
                  .scales = start};
  return fitted_form(shape, extents);
}

std::unique_ptr<const Likelihood> Config::make_likelihood(const LevelsOfX& levels) const {
  return logpx::make_likelihood(likelihood, levels,
                                {.squash = mean_activation, .obs_std = obs_std});
}

std::unique_ptr<const Likelihood> Config::make_coding_likelihood(const LevelsOfX& levels) const {
  if (likelihood != "gaussian-fixed" || levels.most() < 2) return make_likelihood(levels);
  Config integrated = *this;
  integrated.likelihood = "discretised-gaussian";  // by the same heads
  return integrated.make_likelihood(levels);
}

void Config::validate(const DatasetInfo& data) const {
  check_sequence(*this, data);
  check_prior();
  refuse_missing(data, "a KAEM");
  reading.check(chosen(), data);
  static_cast<void>(make_likelihood(reading.levels(data)));
  check_axes(data);
  static_cast<void>(generator_form(extents(data)));
}

}  // namespace logpx::kaem
