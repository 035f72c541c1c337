// Named settings of fit-prior: those of the paper's tables, and small ones.
#pragma once

#include "libcore/families/kaem/config.hpp"
#include "libcore/families/kaem/training/fit_options.hpp"
#include "libcore/train/options.hpp"
#include "libcore/train/presets.hpp"

namespace logpx::kaem {

struct Settings {
  Config model;
  FitOptions fit;
  TrainOptions training;

  void describe(Fields& fields);
  [[nodiscard]] static const Presets<Settings>& presets();
};

}  // namespace logpx::kaem
