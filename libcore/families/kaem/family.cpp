#include "libcore/families/kaem/family.hpp"

#include "libcore/base/error.hpp"
#include "libcore/families/bound_scoring.hpp"
#include "libcore/families/kaem/codec.hpp"
#include "libcore/families/kaem/importance_scoring.hpp"
#include "libcore/families/kaem/normal_latents.hpp"
#include "libcore/families/kaem/prior_capability.hpp"
#include "libcore/families/kaem/training/task.hpp"
#include "libcore/families/synthetic_rows.hpp"
#include "libcore/model/codebook_plan.hpp"
#include "libcore/model/column_reading.hpp"
#include "libcore/model/latent_sampling.hpp"
#include "libcore/model/ordered_values.hpp"
#include "libcore/model/stored_tensors.hpp"

#include <algorithm>

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

namespace {

// Config and data give all shapes, except whether some energies are formulas.
class KaemDraft final : public ModelDraft {
 public:
  void describe(Fields& fields) override { config_.describe(fields); }
  void take(std::span<const TensorRef> stored) override {
    formulas_ = is_stored(stored, "prior/formula") || is_stored(stored, "prior/formula_numbers");
  }
  [[nodiscard]] std::unique_ptr<Model> build(const DatasetInfo& data) const override {
    auto model = std::make_unique<KaemModel>(config_, data);
    if (formulas_) model->prior_constants().add_formulas();
    return model;
  }

 private:
  Config config_;
  bool formulas_ = false;
};

// A trained generator makes x as its model reads it; principal axes have scales of their own.
ColumnReading columns_of(Config& config, const TaskRows& rows, const StartPart& generator) {
  if (generator.model == nullptr)
    return config.pca > 0 && !config.reading.standardise
               ? ColumnReading{.info = rows.info}
               : read_columns(config.reading, rows, config.mean_activation);
  ColumnReading columns{.info = rows.info};
  const DatasetInfo& made = generator.model->info().data;
  if (made.standardisation.empty() || made.dims() != rows.info.dims()) return columns;
  config.reading.standardise = true;
  columns.info.standardisation = made.standardisation;
  return columns;
}

bool has_encoder(const KaemModel& model) { return model.has_encoder(); }

std::unique_ptr<ScoringPlan> score_by_bound(const KaemModel& model) {
  return make_bound_scoring(model, model.bound_passes());
}

}  // namespace

Trainee make_trainee(const Settings& settings, const TaskData& data, Rng rng,
                     const StartParts& parts) {
  Config config = settings.model;
  if (config.coupling == CouplingChoice::automatic)
    config.coupling = settings.fit.usual_coupling(config.prior);
  FitOptions fit = settings.fit;
  fit.langevin.update_rows =
      std::min(settings.training.batch * settings.training.accumulate, data.train.count);
  if (fit.lr_prior > 0) fit.prior_rate = fit.lr_prior / settings.training.lr.value();
  fit.validate(config);
  const bool joint = settings.fit.langevin.has_encoder();
  if (config.encoder_hidden && !joint)
    fail(ErrorKind::usage, "--encoder-hidden",
         "goes with --posterior encoder, or with --encoder-for, a model that is done");
  if (joint && !config.encoder_hidden) config.encoder_hidden = usual_encoder_hidden;
  if (joint && settings.training.ema > 0)
    fail(ErrorKind::usage, "--ema",
         "averages an encoder whose scores would be of another prior than the average", "--ema 0");
  if (settings.training.ema > 0 && !settings.fit.no_grid_update)
    fail(ErrorKind::usage, "--ema",
         "averages of coefficients on different grids mean nothing, and grids move while training",
         "--no-grid-update, or --ema 0");
  if (config.pca > 0 && settings.training.numerics() == repeatable_numerics)
    fail(ErrorKind::usage, "--pca",
         "finds axes that differ in their last bits from machine to machine, and --numerics det "
         "promises that nothing does",
         "--numerics fast");
  const ColumnReading columns = columns_of(config, data.train, parts.generator);
  auto model = std::make_unique<KaemModel>(config, columns.info);
  require_order(config.reading, config.chosen(), data.train.info);
  model->initialise(rng);
  if (const AxisReading* const axes = model->axes(); axes != nullptr)
    model->fit_axes(data.train.held(axes->bytes_to_fit(data.train.count)));
  if (parts.any()) take_tensors(parts, *model);
  auto task = std::make_unique<KaemTask>(*model, fit, data);
  Trainee trainee{std::move(model), std::move(task), settings.training};
  trainee.say_first(columns.note);
  return trainee;
}

Family family() {
  return {.name = "kaem",
          .summary = "Kolmogorov-Arnold energy model",
          .trainer = "fit-prior",
          .draft = [] { return std::make_unique<KaemDraft>(); },
          .score = {{importance_method, "weights on samples of the prior",
                     from_model(make_importance_scoring), list_knobs<ImportanceSettings>},
                    {bound_method, "the bound that training goes by", from_model(score_by_bound),
                     list_knobs<BoundSettings>, from_model(has_encoder)}},
          .code = from_model(make_codec),
          .latents = from_model(make_latents),
          .prior = from_model(make_prior),
          .knobs = {.sample = list_knobs<LatentSamplingSettings>,
                    .code = list_knobs<CodebookKnobs, BitsBackKnobs>},
          .trainee = by_preset(make_trainee),
          .tiny_rows = rows_as_asked({.name = "bars"})};
}

}  // namespace logpx::kaem
