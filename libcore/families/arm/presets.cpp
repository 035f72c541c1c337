#include "libcore/families/arm/presets.hpp"

#include "libcore/base/fields.hpp"

namespace logpx::arm {
namespace {

void small(Settings&) {}  // the defaults

void tiny(Settings& s) {
  s.model.net.size = "tiny";
  s.training.steps = 100;
  s.training.batch = 16;
  s.training.lr = 5e-3;
  s.training.lr_warmup = 0;
}

// For the paper's pictures; it gives no sizes.   [arm/README 4.5]
void mnist(Settings& s) {
  s.model.net.channels = 96;
  s.model.net.multipliers = {1, 2, 2};
  s.training.steps = 100'000;
  s.training.lr = 2e-4;
}

// The paper's molecules, of up to 9 atoms here and up to 38 below: the sizes of [DiGress].
void qm9(Settings& s) {
  NetOptions& net = s.model.net;
  net.layers = 9;
  net.heads = 8;
  net.widths = {256, 64, 64};
  net.ff_widths = net.io_widths = {256, 128, 128};
  s.training.steps = 1'000'000;
  s.training.lr = 1e-5;
}

void zinc250k(Settings& s) {
  qm9(s);
  s.model.net.layers = 12;
  s.model.net.widths = {256, 64, 128};
  s.model.net.ff_widths = s.model.net.io_widths = {256, 128, 256};
  s.training.lr = 1.5e-5;
}

}  // namespace

Settings::Settings() {
  training.optimizer.rule = OptimizerRule::adamw;
  training.optimizer.weight_decay = 1e-12;
  training.lr = 1e-3;
  training.lr_schedule = Curve::cosine;
  training.lr_warmup = 500;
  training.clip_norm = 1;
  training.batch = 128;
  training.steps = 8000;
  training.ema = 0.9999;
  training.ema_warmup = true;
}

void Settings::describe(Fields& f) {
  model.describe(f);
  learning.describe(f, model);
  training.describe(f);
  f.find_option("--epochs")->shows_default("8000 --steps");
}

const Presets<Settings>& Settings::presets() {
  static const Presets<Settings> all = {{"small", small, "the defaults: minutes"},
                                        {"tiny", tiny, "a second, to try things out"},
                                        {"mnist", mnist, "the pictures of the paper"},
                                        {"qm9", qm9, "its molecules of up to nine atoms"},
                                        {"zinc250k", zinc250k, "its molecules of up to 38 atoms"},
                                        {"paper", qm9, "the same as qm9"}};
  return all;
}

}  // namespace logpx::arm
