// Named settings.   [arm/README 4.5]
#pragma once

#include "libcore/families/arm/config.hpp"
#include "libcore/families/arm/training/learn_options.hpp"
#include "libcore/train/options.hpp"
#include "libcore/train/presets.hpp"

namespace logpx::arm {

struct Settings {
  Config model;
  LearnOptions learning;
  TrainOptions training;

  Settings();
  void describe(Fields& fields);
  [[nodiscard]] static const Presets<Settings>& presets();
};

}  // namespace logpx::arm
