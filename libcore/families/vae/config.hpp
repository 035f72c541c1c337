// What a variational auto-encoder is made of: its networks, its likelihood, and how x is read.
// [spec/vae.md sections 1 to 3]
#pragma once

#include "libcore/data/dataset.hpp"
#include "libcore/data/row_values.hpp"
#include "libcore/grad/activation.hpp"
#include "libcore/nn/init.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace logpx {
class Fields;
}

namespace logpx::vae {

// p(x_d | heads of the decoder)
enum class Likelihood {
  bernoulli,       // logit
  gaussian,        // mean, log_var
  gaussian_fixed,  // mean; one log-variance for all
  logistic256,     // mean, log_scale
  logistic_mix256,
  beta_binomial,  // log_alpha, log_beta
  categorical
};
enum class NetworkKind { mlp, conv, linear };
enum class MeanActivation { identity, sigmoid };
enum class OutputBias { zero, data };
enum class Inference { encoder, none };  // none: no q(z|x); trained by Monte Carlo EM

struct Config {
  std::int64_t latent = 20;
  NetworkKind encoder = NetworkKind::mlp;
  std::vector<std::int64_t> hidden = {500}, decoder_hidden = {};  // empty: mirrored
  Activation activation = Activation::tanh;
  double conv_width = 1;
  Inference inference = Inference::encoder;

  Likelihood likelihood = Likelihood::bernoulli;
  MeanActivation mean_activation = MeanActivation::identity;
  std::string obs_std = "1";    // of gaussian-fixed, or "learn"
  double min_logvar = -10;      // of gaussian
  std::int64_t components = 5;  // of logistic-mix256
  bool allow_gray = false;      // bernoulli on [0,1]: a surrogate, not a likelihood
  bool smooth_limits = true;    // log-variances, log-scales and log-shapes stay in a range

  std::string binarise = "none";
  std::uint64_t binarise_seed = 1;
  Dequantise dequantise = Dequantise::none;
  bool center = false;  // the encoder sees x minus the training mean

  std::string init = "xavier";  // or he, normal:STD
  OutputBias init_output_bias = OutputBias::data;

  void describe(Fields& fields);
  // Usage errors for what contradicts itself or the data.
  void validate(const DatasetInfo& data) const;

  [[nodiscard]] std::vector<std::int64_t> decoder_widths() const;
  [[nodiscard]] RowRules rules() const;
  [[nodiscard]] std::optional<double> fixed_log_var() const;  // of obs_std; empty: learned
  struct Start {
    Init weights, biases;
  };
  [[nodiscard]] Start start() const;  // of `init`
};

[[nodiscard]] bool is_density(Likelihood likelihood);    // of real x
[[nodiscard]] bool takes_levels(Likelihood likelihood);  // whole x in 0..levels-1
[[nodiscard]] const char* word_of(Likelihood likelihood);

}  // namespace logpx::vae
