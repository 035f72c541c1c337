// Variational diffusion models as registry and trainer see them.
#pragma once

#include "libcore/families/family.hpp"
#include "libcore/families/vdm/presets.hpp"
#include "libcore/families/vdm/schedule/loss_weight.hpp"
#include "libcore/families/vdm/training/moments.hpp"

#include <string>

namespace logpx::vdm {

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
