#include "libcore/families/vae/family.hpp"

#include "libcore/base/parallel.hpp"
#include "libcore/data/synthetic.hpp"
#include "libcore/families/vae/scoring.hpp"
#include "libcore/families/vae/task.hpp"
#include "libcore/model/latent_sampling.hpp"

namespace logpx::vae {
namespace {

std::vector<std::unique_ptr<Knobs>> knobs_of(Job job) {
  std::vector<std::unique_ptr<Knobs>> all;
  switch (job) {
    case Job::score: all.push_back(std::make_unique<KnobsOf<BoundSettings>>()); break;
    case Job::sample: all.push_back(std::make_unique<KnobsOf<LatentSamplingSettings>>()); break;
    case Job::code: all.push_back(std::make_unique<KnobsOf<BitsBackKnobs>>()); break;
  }
  return all;
}

class VaeDraft final : public ModelDraft {
 public:
  void describe(Fields& fields) override { config_.describe(fields); }
  [[nodiscard]] std::unique_ptr<Model> build(const DatasetInfo& data) const override {
    return std::make_unique<VaeModel>(config_, data);
  }

 private:
  Config config_;
};

HeldRows tiny_rows(std::int64_t rows) {
  Workers alone(1);
  const auto bars = make_synthetic({.name = "bars", .n = rows}, alone);
  return {.info = bars->info(), .rows = bars->read(0, rows)};
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
      .draft = [] { return std::make_unique<VaeDraft>(); },
      .methods = {bound_method},
      .knobs = knobs_of,
      .trainee = [](const std::string& preset, const TaskData& data,
                    Rng rng) { return make_trainee(Settings::presets().make(preset), data, rng); },
      .tiny_rows = tiny_rows};
}

}  // namespace logpx::vae
