// Named settings.   [vdm/README 8.4]
#pragma once

#include "libcore/families/vdm/config.hpp"
#include "libcore/families/vdm/training/learn_options.hpp"
#include "libcore/train/options.hpp"
#include "libcore/train/presets.hpp"

namespace logpx::vdm {

struct Settings {
  Config model;
  LearnOptions learning;
  TrainOptions training;

  Settings();
  void describe(Fields& fields);
  [[nodiscard]] static const Presets<Settings>& presets();
};

}  // namespace logpx::vdm
