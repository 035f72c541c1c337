// Named settings.   [spec/pc.md section 13]
#pragma once

#include "libcore/families/pc/config.hpp"
#include "libcore/families/pc/learning.hpp"
#include "libcore/train/options.hpp"
#include "libcore/train/presets.hpp"

namespace logpx::pc {

struct Settings {
  Config model;
  Learning learning;
  TrainOptions training;

  Settings();
  void describe(Fields& fields);
  [[nodiscard]] static const Presets<Settings>& presets();
};

}  // namespace logpx::pc
