// Autoregressive models of any order, as registry and trainer see them.
#pragma once

#include "libcore/families/arm/config.hpp"
#include "libcore/families/arm/training/learn_options.hpp"
#include "libcore/families/family.hpp"
#include "libcore/train/options.hpp"
#include "libcore/train/presets.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace logpx::arm {

// Named settings.   [arm/README 4.5]
struct Settings {
  Config model;
  LearnOptions learning;
  TrainOptions training;

  Settings();
  void describe(Fields& fields);
  [[nodiscard]] static const Presets<Settings>& presets();
};

[[nodiscard]] Family family();

// The contents of files that options name.
struct TraineeParts {
  std::vector<std::int64_t> order = {};   // of --order FILE: the dims in their order
  std::vector<std::int64_t> groups = {};  // of --groups FILE: a number for each dim
  std::string given_hash = {};
  const Fields* given = nullptr;  // the options of the command line, where there is one
};

// A usage error when settings and data do not fit each other. Refers to the data.
[[nodiscard]] Trainee make_trainee(const Settings& settings, const TaskData& data, Rng rng,
                                   const TraineeParts& parts = {});

}  // namespace logpx::arm
