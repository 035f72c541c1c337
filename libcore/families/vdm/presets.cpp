#include "libcore/families/vdm/presets.hpp"

#include "libcore/base/fields.hpp"

namespace logpx::vdm {
namespace {

void small(Settings&) {}  // the defaults

void tiny(Settings& s) {
  s.model.net.size = "tiny";
  s.training.steps = 200;
}

struct PictureSize {
  std::int64_t channels, depth, groups;
  std::vector<std::int64_t> multipliers = {1};
};

void take(Settings& s, const PictureSize& size) {
  s.model.net.channels = size.channels;
  s.model.net.depth = size.depth;
  s.model.net.groups = size.groups;
  s.model.net.multipliers = size.multipliers;
}

void tiny8(Settings& s) {
  take(s, {16, 1, 32});
  s.training.steps = 200;
}
void small8(Settings& s) { take(s, {32, 2, 8}); }
void small16(Settings& s) { take(s, {32, 3, 32}); }
void small28(Settings& s) { take(s, {16, 1, 8, {1, 2, 4}}); }
void small32(Settings& s) { take(s, {48, 4, 32}); }

// The scale of the paper: one resolution, a constant rate after the warm-up, millions of steps.
void at_scale(Settings& s, const PictureSize& size) {
  take(s, size);
  s.model.net.dropout = 0.1;
  s.training.lr = 2e-4;
  s.training.lr_schedule = Curve::constant;
  s.training.ema = 0.9999;
  s.training.ema_warmup = false;
  s.training.steps = 2'000'000;
}

void cifar10(Settings& s) {
  at_scale(s, {128, 32, 32});
  s.training.batch = 128;
  s.training.steps = 10'000'000;
}

void cifar10_aug(Settings& s) {
  at_scale(s, {256, 32, 32});
  s.model.net.attention = AttentionPlaces::all;
  s.model.net.dropout = 0.05;
  s.model.schedule.name = "monotone";
  s.model.aug_flag = true;
  s.learning.augment = {"flip", "rot90", "channels"};
  s.training.batch = 1024;
}

void imagenet32(Settings& s) {
  at_scale(s, {256, 32, 32});
  s.training.batch = 512;
}

void imagenet64(Settings& s) {
  at_scale(s, {256, 64, 32});
  s.training.batch = 512;
}

}  // namespace

Settings::Settings() {
  training.batch = 64;
  training.steps = 2000;
  training.optimizer.rule = OptimizerRule::adamw;
  training.optimizer.beta2 = 0.99;
  training.optimizer.weight_decay = 0.01;
  training.optimizer.decay_exclude = {};
  training.lr = 2e-3;
  training.lr_schedule = Curve::cosine;
  training.lr_warmup = 100;
  training.clip_norm = 1;
  training.ema = 0.999;
  training.ema_warmup = true;
}

void Settings::describe(Fields& f) {
  model.describe(f);
  f.find_option("--aug-flag")
      ->when({[this] { return !model.aug_flag || !learning.augment.empty(); }, "--augment"});
  learning.describe(f, model);
  training.describe(f);
  f.find_option("--epochs")->shows_default("2000 --steps");
}

const Presets<Settings>& Settings::presets() {
  static const Presets<Settings> all = {
      {"small", small, "the defaults: minutes"},
      {"tiny", tiny, "seconds, to try things out"},
      {"paper", cifar10, "the same as cifar10"},
      {"tiny8", tiny8, "8x8 pictures in seconds"},
      {"small8", small8, "8x8 pictures"},
      {"small16", small16, "16x16 pictures"},
      {"small28", small28, "28x28 pictures at three resolutions"},
      {"small32", small32, "32x32 pictures"},
      {"cifar10", cifar10, "the paper's, for days on many cores"},
      {"cifar10-aug", cifar10_aug, "the same with changed pictures and a learned schedule"},
      {"imagenet32", imagenet32, "the paper's for 32x32"},
      {"imagenet64", imagenet64, "the paper's for 64x64"}};
  return all;
}

}  // namespace logpx::vdm
