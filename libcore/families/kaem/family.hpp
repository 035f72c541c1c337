// The family, for families/registry and for the tool that fits its models.
#pragma once

#include "libcore/families/family.hpp"
#include "libcore/families/kaem/config.hpp"
#include "libcore/families/kaem/training/fit_options.hpp"
#include "libcore/families/kaem/transfer.hpp"
#include "libcore/train/options.hpp"
#include "libcore/train/presets.hpp"

namespace logpx::kaem {

// Named settings of fit-prior: those of the paper's tables, and small ones.
struct Settings {
  Config model;
  FitOptions fit;
  TrainOptions training;

  void describe(Fields& fields);
  [[nodiscard]] static const Presets<Settings>& presets();
};

[[nodiscard]] Family family();
[[nodiscard]] Trainee make_trainee(const Settings& settings, const TaskData& data, Rng rng,
                                   const StartParts& parts = {});

}  // namespace logpx::kaem
