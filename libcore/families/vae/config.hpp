// What a variational auto-encoder is made of: its networks, its likelihood, and how x is read.
// [vae/README 3, 4]
#pragma once

#include "libcore/data/dataset.hpp"
#include "libcore/grad/activation.hpp"
#include "libcore/model/data_reading.hpp"
#include "libcore/model/likelihood.hpp"
#include "libcore/nn/init.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace logpx {
class Fields;
}

namespace logpx::vae {

enum class NetworkKind { mlp, conv, linear };
enum class OutputBias { zero, data };
enum class Inference { encoder, none };  // none: no q(z|x); trained by Monte Carlo EM

struct LatentPlanes {
  std::int64_t count = 0, height = 0, width = 0;
  [[nodiscard]] std::int64_t size() const { return count * height * width; }
};

struct Config {
  std::int64_t latent = 20;
  NetworkKind encoder = NetworkKind::mlp;
  std::vector<std::int64_t> hidden = {500}, decoder_hidden = {};  // empty: mirrored
  Activation activation = Activation::tanh;
  double conv_width = 1;
  std::vector<std::int64_t> latent_planes = {};  // of conv: at 1/4, or at 1/2 and 1/4; empty: none
  std::int64_t context = 0;                      // pixels before it that each pixel sees; 0: none
  std::vector<std::int64_t> context_hidden = {64, 64};
  double context_share = 0.1;  // of background pixels, that a step of training takes
  Inference inference = Inference::encoder;
  std::string prior = "normal";  // or what model/mixture_prior reads

  std::string likelihood = "bernoulli";  // a word of model/likelihood; `auto` until it is settled
  Squash mean_activation = Squash::none;
  std::string obs_std = "1";    // of gaussian-fixed and discretised-gaussian, or "learn"
  double min_logvar = -10;      // of gaussian
  std::int64_t components = 5;  // of logistic-mix256
  bool allow_gray = false;      // bernoulli on [0,1]: a surrogate, not a likelihood
  bool smooth_limits = true;    // log-variances, log-scales and log-shapes stay in a range

  DataReading reading = {};
  bool center = false;  // the encoder sees x minus the training mean

  std::string init = "xavier";  // or he, normal:STD
  OutputBias init_output_bias = OutputBias::data;

  void describe(Fields& fields);
  // Replaces the likelihood `auto` by the one that suits these data. Returns why, for people.
  [[nodiscard]] std::string settle(const DatasetInfo& data);
  // Usage errors for what contradicts itself or the data.
  void validate(const DatasetInfo& data) const;

  [[nodiscard]] bool in_planes() const {
    return encoder == NetworkKind::conv && !latent_planes.empty();
  }
  // From x upwards, as they lie in z.
  [[nodiscard]] std::vector<LatentPlanes> planes_over(std::int64_t height,
                                                      std::int64_t width) const;
  [[nodiscard]] std::int64_t latents(const DatasetInfo& data) const;  // J
  [[nodiscard]] std::vector<std::int64_t> decoder_widths() const;
  // How x is read for this likelihood.
  [[nodiscard]] DataReading::Chosen chosen() const;
  [[nodiscard]] ValuesOfX takes() const { return values_of_likelihood(likelihood); }
  // p(x_d | heads of the decoder).
  [[nodiscard]] std::unique_ptr<const Likelihood> make_likelihood(const LevelsOfX& levels) const;
  struct Start {
    Init weights, biases;
  };
  [[nodiscard]] Start start() const;  // of `init`

 private:
  void check_picture(const DatasetInfo& data) const;
  void check_planes() const;
};

}  // namespace logpx::vae
