// Autoregressive models of any order, as registry and trainer see them.
#pragma once

#include "libcore/families/arm/presets.hpp"
#include "libcore/families/family.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace logpx::arm {

[[nodiscard]] Family family();

// What stands in files that options name, and not in settings.
struct TraineeParts {
  std::vector<std::int64_t> order = {};   // of --order FILE: dims as they come
  std::vector<std::int64_t> groups = {};  // of --groups FILE: a number for each dim
  std::string given_hash = {};
  const Fields* given = nullptr;  // the options of the command line, where there is one
};

// A usage error when settings and data do not fit each other. Refers to the data.
[[nodiscard]] Trainee make_trainee(const Settings& settings, const TaskData& data, Rng rng,
                                   const TraineeParts& parts = {});

}  // namespace logpx::arm
