// Probabilistic circuits as registry and trainer see them.
#pragma once

#include "libcore/base/parallel.hpp"
#include "libcore/families/family.hpp"
#include "libcore/families/pc/presets.hpp"
#include "libcore/families/pc/products/product_model.hpp"

#include <functional>
#include <string>
#include <vector>

namespace logpx::pc {

struct TraineeParts {
  Workers& workers;                  // for what is done before the first step
  const Fields* given = nullptr;     // options given; refused if nothing reads them
  std::string file = {}, text = {};  // what --structure file:F names, read by the tool
  LeafChoice leaves = {};            // what --leaf says, with the text of its file
  // The model that training continues from, and its content hash; null: a new one.
  const Model* start = nullptr;
  std::string start_hash = {};
  std::vector<FactorModel> factors = {};  // those that --init product names
  std::int64_t memory = 0;                // limit for training; 0: none
  // Told about slow work before training begins; may be empty.
  std::function<void(const std::string&)> say = {};
};

// Throws a usage error when settings and data do not fit each other. Refers to the data.
// With a model to continue from, options that make or draw a circuit are refused. Where no option
// says how long tables train, the rows decide (length/held_back.hpp).
[[nodiscard]] Trainee make_trainee(const Settings& settings, const TaskData& data, Rng rng,
                                   const TraineeParts& parts);

// Settles what the rows of a table decide and no option says. Other data leave all as it is.
void choose_by_rows(Settings& settings, const TaskData& data, Rng rng, const TraineeParts& parts);

[[nodiscard]] Family family();

}  // namespace logpx::pc
