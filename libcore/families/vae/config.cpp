#include "libcore/families/vae/config.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/model/context_table.hpp"
#include "libcore/model/fitting_likelihood.hpp"
#include "libcore/model/likelihood_options.hpp"
#include "libcore/model/missing_values.hpp"
#include "libcore/model/mixture_prior.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace logpx::vae {
namespace {

constexpr std::int64_t most_latents = 1 << 16;

void describe_convolutions(Fields& f, Config& c) {
  const Condition conv{[&c] { return c.encoder == NetworkKind::conv; }, "--encoder conv"};
  f.add("conv-width", c.conv_width, "factor on the 32 and 64 channels")
      .range(0.03, 64)
      .when(conv)
      .rank(Rank::manual);
  f.add("latent-planes", c.latent_planes,
        "latents as planes over the picture: so many at 1/4 of its sides, or at 1/2 and at 1/4")
      .about(
          "There are convolutions alone then, and each latent speaks of its place; --latent does "
          "nothing. With two numbers the planes at 1/4 decide how those at 1/2 are distributed.")
      .metavar("N[,N]")
      .when(conv)
      .unset_while([&c] { return c.latent_planes.empty(); })
      .rank(Rank::manual);
}

void describe_networks(Fields& f, Config& c) {
  const Condition mlp{[&c] { return c.encoder == NetworkKind::mlp; }, "--encoder mlp"};
  f.group("networks");
  f.add("latent", c.latent, "dimensions of z")
      .about(
          "How many numbers a row is summed up in. More than the data need cost time and little "
          "else, since those that tell nothing stay at the prior.")
      .range(1, most_latents)
      .unless({[&c] { return c.in_planes(); }, "--latent-planes"});
  f.add("encoder", c.encoder,
        {{"mlp", NetworkKind::mlp, "dense layers, of --hidden units"},
         {"conv", NetworkKind::conv, "two convolutions and a dense layer, for pictures"},
         {"linear", NetworkKind::linear, "no hidden layers: with a Gaussian that is PPCA"}},
        "networks of encoder and decoder")
      .rank(Rank::manual);
  f.add("hidden", c.hidden, "units of the hidden layers")
      .about(
          "The decoder has the same widths in reverse order, unless --decoder-hidden says "
          "otherwise.")
      .metavar("N,...")
      .source("AEVB sec. 5")
      .when(mlp);
  f.add("decoder-hidden", c.decoder_hidden, "units of the decoder's hidden layers")
      .metavar("N,...")
      .shows_default("the encoder's, mirrored")
      .when(mlp)
      .rank(Rank::manual);
  f.add("activation", c.activation,
        {{"tanh", Activation::tanh, "between -1 and 1, as in the paper"},
         {"relu", Activation::relu, "max(0, x)"},
         {"leaky-relu", Activation::leaky_relu, "0.01 x below 0"},
         {"elu", Activation::elu, "e^x - 1 below 0"},
         {"gelu", Activation::gelu_erf, "x Phi(x), smooth"},
         {"silu", Activation::silu, "x sigmoid(x), smooth"},
         {"softplus", Activation::softplus, "log(1 + e^x), smooth"}},
        "activation of hidden units")
      .when(mlp)
      .rank(Rank::manual);
  describe_convolutions(f, c);
  f.add("inference", c.inference,
        {{"encoder", Inference::encoder, "a network"},
         {"none", Inference::none, "nothing: Monte Carlo EM has no encoder"}},
        "what computes q(z|x)")
      .rank(Rank::set_only);
  f.add("smooth-limits", c.smooth_limits, "keep log-variances, log-scales and log-shapes in range")
      .rank(Rank::set_only);
  f.add("init", c.init, "xavier, he, or normal:STD for weights and biases").rank(Rank::manual);
  f.add("init-output-bias", c.init_output_bias,
        {{"zero", OutputBias::zero, "at 0"},
         {"data", OutputBias::data,
          "at the mean of the training data, which saves the first epochs"}},
        "where the output of the decoder starts")
      .rank(Rank::manual);
}

void describe_context(Fields& f, Config& c) {
  const auto none = [&c] { return c.context == 0; };
  const Condition sees{[&c] { return c.context > 0; }, "--context"};
  f.group("context");
  f.add("context", c.context, "pixels before it that each pixel sees, besides z")
      .about(
          "The nearest ones that come before it in raster order, 12 or 24 of them: the two or four "
          "around it in each direction. What they tell need not be told by z, so pictures take far "
          "fewer bits, and z keeps what neighbours do not see. With 0 pixels are independent given "
          "z.")
      .range(0, most_neighbours)
      .unset_while(none)
      .rank(Rank::manual);
  f.add("context-hidden", c.context_hidden, "units of the network that sees them")
      .metavar("N,...")
      .when(sees)
      .unset_while(none)
      .rank(Rank::manual);
  f.add("context-share", c.context_share, "part of the background pixels that a step takes")
      .about(
          "Pixels that are 0, like all that they see, are many and tell little. A step of training "
          "takes this part of them, drawn anew, and weighs them up; evaluations take all.")
      .range(0.01, 1)
      .when(sees)
      .unset_while(none)
      .rank(Rank::manual);
}

void describe_prior(Fields& f, Config& c) {
  f.add("prior", c.prior, "p(z): normal, or vamp:K, what the encoder gives for K learned inputs")
      .about(
          "vamp:K is a mixture of K gaussians, which are learned with the model: each is q(z|u) of "
          "an input u that is learned, too. It takes about twice the time, and no model keeps "
          "the inputs. --fit-prior fits a mixture to a model that is trained already.")
      .metavar("normal|vamp:K")
      .unset_while([&c] { return c.prior == normal_prior; })
      .rank(Rank::manual);
}

void describe_likelihood(Fields& f, Config& c) {
  const auto read = [&c](LikelihoodOption option) {
    return read_by_likelihood(c.likelihood, option);
  };
  f.group("likelihood");
  f.add_word("likelihood", c.likelihood, likelihood_choices(), "p(x|z) of one dimension")
      .about(
          "It says what kind of numbers x are, and so what log p(x) is a measure of: scores of two "
          "models can be compared only where both read x alike.")
      .shows_default("auto: by the data");
  f.add("mean-activation", c.mean_activation,
        {{"identity", Squash::none, "any mean"},
         {"sigmoid", Squash::sigmoid, "a mean between 0 and 1"}},
        "activation of a Gaussian mean")
      .when(read(LikelihoodOption::squash))
      .rank(Rank::manual);
  f.add("obs-std", c.obs_std, "standard deviation of x, or learn")
      .metavar("R|learn")
      .when(read(LikelihoodOption::obs_std))
      .rank(Rank::manual);
  f.add("min-logvar", c.min_logvar, "least log-variance")
      .range(-40, 9)
      .when(read(LikelihoodOption::min_log_var))
      .rank(Rank::manual);
  f.add("components", c.components, "logistics per dimension")
      .range(1, 64)
      .when(read(LikelihoodOption::components))
      .rank(Rank::manual);
  f.add("allow-gray", c.allow_gray,
        "bernoulli on values between 0 and 1: a surrogate, not a likelihood")
      .rank(Rank::manual);
}

void describe_data(Fields& f, Config& c) {
  f.group("data");
  c.reading.describe(f);
  f.add("center", c.center, "subtract the training mean before encoding").rank(Rank::manual);
}

void check_widths(const std::vector<std::int64_t>& widths, const std::string& option) {
  for (const std::int64_t width : widths)
    if (width < 1 || width > 1 << 20)
      fail(ErrorKind::usage, option,
           "must be numbers from 1 to 1048576, not " + std::to_string(width));
}

void check_context(const Config& config, const DatasetInfo& data) {
  check_widths(config.context_hidden, "--context-hidden");
  if (config.context == 0) return;
  if (data.content != Content::image || data.shape.size() != 3)
    fail(ErrorKind::usage, "--context", "needs images, whose pixels have neighbours");
  if (config.allow_gray)
    fail(ErrorKind::usage, "--context",
         "does not go with --allow-gray, whose pixels are neither bits nor levels");
  if (config.takes() == ValuesOfX::reals)
    fail(ErrorKind::usage, "--context",
         "needs pixels that are bits or levels, and --likelihood " + config.likelihood +
             " takes real numbers",
         "--likelihood logistic-mix256");
}

}  // namespace

void Config::describe(Fields& f) {
  describe_networks(f, *this);
  describe_context(f, *this);
  describe_prior(f, *this);
  describe_likelihood(f, *this);
  describe_data(f, *this);
}

std::string Config::settle(const DatasetInfo& data) {
  if (likelihood != automatic_likelihood) return "";
  LikelihoodsByData usual;
  if (obs_std != Config().obs_std) usual.reals = "gaussian-fixed";
  FittingLikelihood fitting = fitting_likelihood(data, reading, usual);
  if (allow_gray) fitting = {"bernoulli"};
  likelihood = fitting.word;
  return fitting.note;
}

void Config::validate(const DatasetInfo& data) const {
  check_widths(hidden, "--hidden");
  check_widths(decoder_hidden, "--decoder-hidden");
  static_cast<void>(start());
  static_cast<void>(make_likelihood(data.levels));
  refuse_missing(data, "a VAE");
  if (allow_gray && takes() != ValuesOfX::bits)
    fail(ErrorKind::usage, "--allow-gray", "does nothing with --likelihood " + likelihood);
  if (center && inference == Inference::none)
    fail(ErrorKind::usage, "--center", "does nothing without an encoder");
  check_context(*this, data);
  reading.check(chosen(), data);
  if (encoder == NetworkKind::conv) check_picture(data);
  static_cast<void>(mixture_form(prior, latents(data), "prior"));
}

void Config::check_picture(const DatasetInfo& data) const {
  if (data.content != Content::image || data.shape.size() != 3)
    fail(ErrorKind::usage, "--encoder conv", "needs images");
  check_planes();
  const std::int64_t height = data.shape[0], width = data.shape[1];
  if (height % 4 == 0 && width % 4 == 0) return;
  const auto padded = [](std::int64_t size) { return std::to_string((size + 3) / 4 * 4); };
  fail(ErrorKind::usage, "--encoder conv",
       (height % 4 != 0 ? "height " + std::to_string(height) : "width " + std::to_string(width)) +
           " is not divisible by 4",
       "pack-data images ... --size " + padded(width) + 'x' + padded(height) + " --fit pad");
}

void Config::check_planes() const {
  if (latent_planes.size() > 2)
    fail(ErrorKind::usage, "--latent-planes",
         "has " + std::to_string(latent_planes.size()) + " numbers, expected one or two");
  for (const std::int64_t planes : latent_planes)
    if (planes < 1 || planes > 256)
      fail(ErrorKind::usage, "--latent-planes",
           "must be numbers from 1 to 256, not " + std::to_string(planes));
}

std::vector<LatentPlanes> Config::planes_over(std::int64_t height, std::int64_t width) const {
  if (latent_planes.size() == 1) return {{latent_planes[0], height / 4, width / 4}};
  LOGPX_ASSERT(latent_planes.size() == 2);
  return {{latent_planes[0], height / 2, width / 2}, {latent_planes[1], height / 4, width / 4}};
}

std::int64_t Config::latents(const DatasetInfo& data) const {
  if (!in_planes()) return latent;
  std::int64_t sum = 0;
  for (const LatentPlanes& planes : planes_over(data.shape[0], data.shape[1])) sum += planes.size();
  if (sum > most_latents)
    fail(ErrorKind::usage, "--latent-planes",
         "makes " + std::to_string(sum) + " latents, at most " + std::to_string(most_latents),
         "fewer planes, or smaller pictures");
  return sum;
}

std::vector<std::int64_t> Config::decoder_widths() const {
  if (!decoder_hidden.empty()) return decoder_hidden;
  return {hidden.rbegin(), hidden.rend()};
}

DataReading::Chosen Config::chosen() const {
  return {.word = likelihood, .gray = allow_gray, .gray_hint = "--allow-gray for a surrogate"};
}

std::unique_ptr<const Likelihood> Config::make_likelihood(const LevelsOfX& levels) const {
  return logpx::make_likelihood(likelihood, levels,
                                {.gray = allow_gray,
                                 .squash = mean_activation,
                                 .min_log_var = min_logvar,
                                 .obs_std = obs_std,
                                 .components = components,
                                 .limited = smooth_limits});
}

Config::Start Config::start() const {
  if (init == "xavier") return {{Init::Rule::glorot_uniform}, Init::zeros()};
  if (init == "he") return {{Init::Rule::he_normal}, Init::zeros()};
  constexpr std::string_view normal = "normal:";
  const auto deviation = init.starts_with(normal)
                             ? parse_real(std::string_view(init).substr(normal.size()))
                             : std::nullopt;
  if (!deviation || !(*deviation >= 0) || !std::isfinite(*deviation))
    fail(ErrorKind::usage, "--init", "is " + init + ", expected xavier, he or normal:STD");
  return {Init::normal(*deviation), Init::normal(*deviation)};
}

}  // namespace logpx::vae
