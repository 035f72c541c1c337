#include "libcore/families/vae/family.hpp"

#include "libcore/families/bound_scoring.hpp"
#include "libcore/families/synthetic_rows.hpp"
#include "libcore/families/vae/baselines/gradients.hpp"
#include "libcore/families/vae/codec.hpp"
#include "libcore/families/vae/sample.hpp"
#include "libcore/families/vae/task.hpp"
#include "libcore/model/column_reading.hpp"
#include "libcore/model/latent_sampling.hpp"
#include "libcore/model/ordered_values.hpp"

namespace logpx::vae {
namespace {

bool has_encoder(const VaeModel& model) { return model.config().inference == Inference::encoder; }

std::unique_ptr<ScoringPlan> score_by_bound(const VaeModel& model) {
  return make_bound_scoring(model, model.bound_passes());
}

std::unique_ptr<ModelGradients> usual_gradients(const VaeModel& model) {
  return make_gradients(model, {});
}

}  // namespace

Trainee make_trainee(const Settings& settings, const TaskData& data, Rng rng) {
  Config config = settings.model;
  if (settings.objective.algorithm == Algorithm::mcem) config.inference = Inference::none;
  require_order(config.reading, config.chosen(), data.train.info);
  const ColumnReading columns = read_columns(config.reading, data.train, config.mean_activation);
  auto model = std::make_unique<VaeModel>(config, columns.info);
  model->initialise(rng);
  auto task = std::make_unique<VaeTask>(*model, settings.objective, data, rng);
  Trainee trainee{std::move(model), std::move(task), settings.training};
  trainee.say_first(columns.note);
  return trainee;
}

Family family() {
  return {
      .name = "vae",
      .summary = "variational auto-encoder",
      .trainer = "train-vae",
      .draft = [] { return std::make_unique<DraftOf<Config, VaeModel>>(); },
      .score = {{bound_method, "the bound that training goes by", from_model(score_by_bound),
                 list_knobs<BoundSettings>, from_model(has_encoder)}},
      .code = from_model(make_codec),
      .latents = from_model(make_latents),
      .gradients = from_model(usual_gradients),
      .knobs = {.sample = list_knobs<LatentSamplingSettings>, .code = list_knobs<BitsBackKnobs>},
      .trainee = by_preset(make_trainee),
      .tiny_rows = rows_as_asked({.name = "bars"})};
}

}  // namespace logpx::vae
