#include "libcore/families/vdm/family.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/given_options.hpp"
#include "libcore/base/index.hpp"
#include "libcore/families/synthetic_rows.hpp"
#include "libcore/families/vdm/coding/codec.hpp"
#include "libcore/families/vdm/sampling/flow_codes.hpp"
#include "libcore/families/vdm/sampling/sampling_plan.hpp"
#include "libcore/families/vdm/scoring/elbo_scoring.hpp"
#include "libcore/families/vdm/scoring/flow_scoring.hpp"
#include "libcore/families/vdm/scoring/trajectory_scoring.hpp"
#include "libcore/families/vdm/training/task.hpp"
#include "libcore/model/column_reading.hpp"
#include "libcore/model/stored_tensors.hpp"

#include <algorithm>

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

namespace {

constexpr StoredLimits of_knots = {.most = 1 << 16, .least = 2};

// Config and data determine all shapes except the knots of a table and whether there is a curve.
class VdmDraft final : public ModelDraft {
 public:
  void describe(Fields& fields) override { config_.describe(fields); }
  void take(std::span<const TensorRef> stored) override {
    shapes_.mse_curve = is_stored(stored, "mse_curve");
    if (!is_stored(stored, "schedule/table/t")) return;
    shapes_.table = {stored_values<double>(stored, "schedule/table/t", of_knots),
                     stored_values<double>(stored, "schedule/table/g", of_knots)};
  }
  [[nodiscard]] std::unique_ptr<Model> build(const DatasetInfo& data) const override {
    return std::make_unique<VdmModel>(config_, data, shapes_);
  }

 private:
  Config config_;
  StoredShapes shapes_;
};

std::int64_t classes_of(const TaskRows& rows) {
  if (!rows.info.has_labels)
    fail(ErrorKind::usage, "--labels",
         "needs data with labels, and " + rows.info.name + " has none");
  if (!rows.info.label_names.empty()) return std::ssize(rows.info.label_names);
  std::int32_t last = 0;
  rows.visit([&](const Examples& part) {
    for (const std::int32_t label : part.rows.y) last = std::max(last, label);
  });
  return 1 + last;
}

void take_moments(VdmModel& model, const Moments& given, const Examples& examples) {
  const Moments moments = given.empty() ? moments_of(model.reader(), model.levels(), examples)
                                        : network_moments(given, model.levels(), model.info().data);
  model.take_moments(moments.mean, moments.covariance);
}

Settings with_model(Settings settings, const Config& settled) {
  settings.model = settled;
  return settings;
}

}  // namespace

Trainee make_trainee(const Settings& settings, const TaskData& data, Rng rng,
                     const TraineeParts& parts) {
  Config config = settings.model;
  LossWeight weight(settings.learning.weight, parts.weight);
  if (config.labels) config.classes = classes_of(data.train);
  config.check_data(data.train.info);
  const DatasetInfo info = with_standardisation(config, data.train);
  if (config.schedule.kind() == CurveKind::table && parts.schedule.t.empty())
    fail(ErrorKind::usage, "--schedule table", "needs a file: table:FILE");
  config.settle(info, parts.schedule, weight.is_bound());
  settings.learning.validate(config);
  auto model = std::make_unique<VdmModel>(config, info, StoredShapes{.table = parts.schedule});
  if (parts.given != nullptr) refuse_unread(*parts.given, with_model(settings, model->config()));
  model->initialise(rng);
  if (config.net.kind == NetKind::linear_gauss)
    take_moments(*model, parts.moments, data.train.held());
  auto task = std::make_unique<VdmTask>(*model, settings.learning, std::move(weight), data);
  Trainee trainee{std::move(model), std::move(task), settings.training, parts.given_hash};
  const bool found = data.train.info.standardisation.empty() && !info.standardisation.empty();
  if (found) trainee.say_first(std::string("the data hold real numbers: ") + in_deviations);
  return trainee;
}

Family family() {
  return {.name = "vdm",
          .summary = "variational diffusion model",
          .trainer = "train-vdm",
          .draft = [] { return std::make_unique<VdmDraft>(); },
          .score = {{elbo_method, "the bound that training goes by", from_model(make_elbo_scoring),
                     list_knobs<ElboSettings>},
                    {iwae_method, "a tighter bound, by weights on several draws",
                     from_model(make_trajectory_scoring), list_knobs<TrajectorySettings>},
                    {ode_method, "the flow of a diffusion, along which log p(x) is an integral",
                     from_model(make_flow_scoring), list_knobs<FlowSettings>}},
          .sample = from_model(make_sampling),
          .code = from_model(make_codec),
          .codes = from_model(make_flow_codes),
          .knobs = {.sample = list_knobs<SamplingSettings>, .code = list_knobs<CodingSettings>},
          .trainee = by_preset(make_trainee),
          .tiny_rows = rows_as_asked({.name = "bars"})};
}

}  // namespace logpx::vdm
