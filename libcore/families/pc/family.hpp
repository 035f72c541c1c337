// Probabilistic circuits as registry and trainer see them.
#pragma once

#include "libcore/base/parallel.hpp"
#include "libcore/families/family.hpp"
#include "libcore/families/pc/presets.hpp"

#include <functional>
#include <string>

namespace logpx::pc {

struct TraineeParts {
  Workers& workers;                  // for what is done before the first step
  const Fields* given = nullptr;     // refused where nothing reads them
  std::string file = {}, text = {};  // what --structure file:F names, read by the tool
  LeafChoice leaves = {};            // what --leaf says, with the text of its file
  // The model that training goes on from, and its content hash; null: a new one.
  const Model* start = nullptr;
  std::string start_hash = {};
  std::int64_t memory = 0;  // that training may take; 0: no limit
  // Told what is done before training begins and takes its time; may be empty.
  std::function<void(const std::string&)> say = {};
};

// A usage error when settings and data do not fit each other. Refers to the data.
// With a model to go on from, nothing that says how a circuit is made or drawn may be given. Where
// nothing that was given says how long tables are trained, the rows do.
[[nodiscard]] Trainee make_trainee(const Settings& settings, const TaskData& data, Rng rng,
                                   const TraineeParts& parts);

[[nodiscard]] Family family();

}  // namespace logpx::pc
