// Variational diffusion models as registry and trainer see them.
#pragma once

#include "libcore/families/family.hpp"
#include "libcore/families/vdm/config.hpp"
#include "libcore/families/vdm/schedule/noise_schedule.hpp"
#include "libcore/families/vdm/training/ends_phase.hpp"
#include "libcore/families/vdm/training/learn_options.hpp"
#include "libcore/train/options.hpp"
#include "libcore/train/presets.hpp"

#include <string>

namespace logpx::vdm {

// Named settings.   [vdm/README 8.4]
struct Settings {
  Config model;
  LearnOptions learning;
  TrainOptions training;

  Settings();
  void describe(Fields& fields);
  [[nodiscard]] static const Presets<Settings>& presets();
};

[[nodiscard]] Family family();

// Contents of the files that options name.
struct TraineeParts {
  CurveTable schedule = {};
  WeightTable weight = {};
  Moments moments = {};  // of x as it is stored; empty: those of the data
  std::string given_hash = {};
  const Fields* given = nullptr;  // the options of the command line, where there is one
};

// A usage error when settings and data do not fit each other. Keeps references to the data.
[[nodiscard]] Trainee make_trainee(const Settings& settings, const TaskData& data, Rng rng,
                                   const TraineeParts& parts = {});

}  // namespace logpx::vdm
