#include "libcore/families/vae/presets.hpp"

namespace logpx::vae {
namespace {

void paper(Settings& s) {  // [AEVB sec. 5]
  s.model.init = "normal:0.1";
  s.model.init_output_bias = OutputBias::zero;
  s.objective.weight_prior = "normal:1";
  s.training.optimizer.rule = OptimizerRule::adagrad;
  s.training.lr.text = "auto";
}

void paper_frey(Settings& s) {
  paper(s);
  s.model.hidden = {200};
  s.model.latent = 10;
  s.model.likelihood = "gaussian";
  s.model.mean_activation = Squash::sigmoid;
}

void modern(Settings&) {}  // the defaults

void small(Settings& s) { s.model.hidden = {100}; }

void tiny(Settings& s) {
  s.model.hidden = {16};
  s.model.latent = 2;
  s.training.epochs = 2;
}

void bits_back(Settings& s) {
  s.model.hidden = {200};
  s.model.latent = 50;
  s.model.likelihood = "beta-binomial";
  s.model.activation = Activation::relu;
  s.training.lr = 0.002;
  s.training.lr_schedule = Curve::cosine;
  s.training.epochs = 20;
}

void ppca(Settings& s) {
  s.model.encoder = NetworkKind::linear;
  s.model.likelihood = "gaussian-fixed";
  s.model.obs_std = "learn";
  s.model.init = "normal:0.1";
  s.model.latent = 2;
  s.objective.samples = 16;
  s.training.lr = 0.05;
  s.training.lr_schedule = Curve::cosine;
  s.training.steps = 30'000;
}

}  // namespace

Settings::Settings() { training.lr_candidates = {0.01, 0.02, 0.1}; }  // [AEVB sec. 5]

void Settings::describe(Fields& f) {
  model.describe(f);
  objective.describe(f);
  training.describe(f);
}

const Presets<Settings>& Settings::presets() {
  static const Presets<Settings> all = {
      {"modern", modern, "the defaults: adam and a tanh network of 500"},
      {"tiny", tiny, "two epochs of a small network, to try things out"},
      {"small", small, "100 hidden units"},
      {"paper", paper, "as AEVB trains: Adagrad, N(0, 0.1) at the start"},
      {"paper-frey", paper_frey, "that of its faces: real numbers, 10 latents"},
      {"bits-back", bits_back, "a model to compress pictures with"},
      {"ppca", ppca, "linear, with learned noise: probabilistic PCA"}};
  return all;
}

}  // namespace logpx::vae
