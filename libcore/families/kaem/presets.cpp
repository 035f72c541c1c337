#include "libcore/families/kaem/presets.hpp"

namespace logpx::kaem {
namespace {

void standard(Settings&) {}  // the defaults

void tiny(Settings& s) {
  s.model.latent = {2};
  s.model.curves.intervals = 8;
  s.model.hidden = "11";
  s.model.obs_std = "0.2";
  s.fit.train_noise = 0;
  s.fit.samples = 64;
  s.fit.resampler = Resampler::none;
  s.fit.grid_every = 50;
  s.training.batch = 64;
  s.training.steps = 300;
  s.training.lr = 3e-3;
}

void paper(Settings& s) {  // [KAEM tab. 4]
  s.model.latent = {40, 81};
  s.model.activation = Activation::relu;
  s.model.hidden = "162";
}

void small(Settings& s) {
  paper(s);
  s.model.latent = {10, 21};
  s.model.hidden = "42";
  s.fit.samples = 50;
  s.training.batch = 50;
  s.training.epochs = 3;
}

// Pictures in colour.   [KAEM tabs. 5 to 8]
void colours(Settings& s) {
  s.model.prior = PriorKind::mixture;
  s.model.latent = {40, 81};
  s.model.activation = Activation::relu;
  s.model.generator.kind = GeneratorKind::cnn;
  s.model.obs_std = "0.3";
  s.fit.langevin.posterior = PosteriorKind::ula;
  s.fit.grid_targets = GridTargets::prior;
  s.training.batch = 50;
  s.training.epochs = 40;
  s.training.lr = 1e-4;
}

void svhn(Settings& s) {
  colours(s);
  s.model.generator.channels = {256, 128, 64, 3};
}

void celeba(Settings& s) {
  colours(s);
  s.model.generator.channels = {512, 256, 128, 64, 3};
}

}  // namespace

void Settings::describe(Fields& f) {
  model.describe(f);
  fit.describe(f);
  training.describe(f);
}

const Presets<Settings>& Settings::presets() {
  static const Presets<Settings> all = {
      {"standard", standard, "the defaults"},
      {"tiny", tiny, "seconds, to try things out"},
      {"small", small, "a quarter of paper"},
      {"paper", paper, "the sizes of the paper for grey pictures"},
      {"mnist", paper, "the same as paper"},
      {"fmnist", paper, "the same as paper"},
      {"svhn", svhn, "the paper's for colour pictures: chains and a cnn"},
      {"celeba", celeba, "the same, for 64x64"}};
  return all;
}

}  // namespace logpx::kaem
