// The variational auto-encoder as registry and trainer see it.
#pragma once

#include "libcore/families/family.hpp"
#include "libcore/families/vae/objective.hpp"
#include "libcore/train/options.hpp"
#include "libcore/train/presets.hpp"

namespace logpx::vae {

// Named settings.   [vae/README 6]
struct Settings {
  Config model;
  ObjectiveOptions objective;
  TrainOptions training;

  Settings();
  void describe(Fields& fields);
  [[nodiscard]] static const Presets<Settings>& presets();
};

[[nodiscard]] Family family();

// The KL is drawn where the prior has none in closed form and `given` does not ask for one.
void settle_estimator(Settings& settings, const Fields& given);
// A usage error when settings and data do not fit each other. Refers to the data.
[[nodiscard]] Trainee make_trainee(const Settings& settings, const TaskData& data, Rng rng);

}  // namespace logpx::vae
