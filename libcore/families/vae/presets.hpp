// Named settings.   [vae/README 6]
#pragma once

#include "libcore/families/vae/objective.hpp"
#include "libcore/train/options.hpp"
#include "libcore/train/presets.hpp"

namespace logpx::vae {

struct Settings {
  Config model;
  ObjectiveOptions objective;
  TrainOptions training;

  Settings();
  void describe(Fields& fields);
  [[nodiscard]] static const Presets<Settings>& presets();
};

}  // namespace logpx::vae
