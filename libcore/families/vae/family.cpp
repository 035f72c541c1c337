#include "libcore/families/vae/family.hpp"

#include "libcore/families/bound_scoring.hpp"
#include "libcore/families/synthetic_rows.hpp"
#include "libcore/families/vae/task.hpp"
#include "libcore/model/latent_sampling.hpp"

namespace logpx::vae {
namespace {

std::vector<std::unique_ptr<Knobs>> knobs_of(Job job) {
  if (job == Job::score) return list_knobs<BoundSettings>();
  if (job == Job::sample) return list_knobs<LatentSamplingSettings>();
  return list_knobs<BitsBackKnobs>();
}

}  // namespace

Trainee make_trainee(const Settings& settings, const TaskData& data, Rng rng) {
  Config config = settings.model;
  if (settings.objective.algorithm == Algorithm::mcem) config.inference = Inference::none;
  auto model = std::make_unique<VaeModel>(config, data.train.info);
  model->initialise(rng);
  auto task = std::make_unique<VaeTask>(*model, settings.objective, data, rng);
  return {std::move(model), std::move(task), settings.training};
}

Family family() {
  return {
      .name = "vae",
      .summary = "variational auto-encoder",
      .trainer = "train-vae",
      .capabilities = {Capability::codec, Capability::latents, Capability::gradients},
      .draft = [] { return std::make_unique<DraftOf<Config, VaeModel>>(); },
      .methods = {bound_method},
      .knobs = knobs_of,
      .trainee = [](const std::string& preset, const TaskData& data,
                    Rng rng) { return make_trainee(Settings::presets().make(preset), data, rng); },
      .tiny_rows = [](std::int64_t rows) { return synthetic_rows({.name = "bars", .n = rows}); }};
}

}  // namespace logpx::vae
