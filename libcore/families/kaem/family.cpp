#include "libcore/families/kaem/family.hpp"

#include "libcore/families/kaem/importance_scoring.hpp"
#include "libcore/families/kaem/task.hpp"
#include "libcore/families/synthetic_rows.hpp"
#include "libcore/model/codebook_plan.hpp"
#include "libcore/model/latent_sampling.hpp"

namespace logpx::kaem {
namespace {

std::vector<std::unique_ptr<Knobs>> knobs_of(Job job) {
  if (job == Job::score) return list_knobs<ImportanceSettings>();
  if (job == Job::sample) return list_knobs<LatentSamplingSettings>();
  return list_knobs<CodebookKnobs>();
}

}  // namespace

Trainee make_trainee(const Settings& settings, const TaskData& data, Rng rng) {
  Config config = settings.model;
  if (config.coupling == CouplingChoice::automatic)
    config.coupling = config.prior == PriorKind::univariate ? CouplingChoice::shared
                                                            : CouplingChoice::independent;
  settings.fit.validate(config);
  auto model = std::make_unique<KaemModel>(config, data.train.info);
  model->initialise(rng);
  auto task = std::make_unique<KaemTask>(*model, settings.fit, data);
  return {std::move(model), std::move(task), settings.training};
}

Family family() {
  return {
      .name = "kaem",
      .summary = "Kolmogorov-Arnold energy model",
      .trainer = "fit-prior",
      .capabilities = {Capability::codec, Capability::latents},
      .draft = [] { return std::make_unique<DraftOf<Config, KaemModel>>(); },
      .methods = {importance_method},
      .knobs = knobs_of,
      .trainee = [](const std::string& preset, const TaskData& data,
                    Rng rng) { return make_trainee(Settings::presets().make(preset), data, rng); },
      .tiny_rows = [](std::int64_t rows) { return synthetic_rows({.name = "bars", .n = rows}); }};
}

}  // namespace logpx::kaem
