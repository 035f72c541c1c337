// The reports and tables of explain-prior and prune-prior.   [eval/README 8]
#pragma once

#include "formats/json/value.hpp"
#include "formats/text_table.hpp"
#include "libcore/eval/prior_code.hpp"
#include "libcore/eval/prior_facts.hpp"
#include "libcore/eval/prior_pruning.hpp"
#include "libcore/model/abilities.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace logpx {

class App;

// The prior of a model; if it has none, a usage error that names the families that have one.
[[nodiscard]] const ModelPrior& prior_of(const Abilities& can);

// Components by their latents and parts: those that a list names, or all if it is empty. A number
// that the prior does not have is a usage error.
struct PriorChoice {
  std::vector<std::int64_t> q, p;
  void describe(Fields& fields);
};
struct PriorPlace {
  std::int64_t q = 0, p = 0;
};
[[nodiscard]] std::vector<PriorPlace> chosen_places(const PriorShape& shape,
                                                    const PriorChoice& choice);

// {q, p, domain, log_Z, mean, variance, modes, entropy_nats, kl_to_base, symbolic, candidates}
[[nodiscard]] Json to_json(const ComponentFacts& facts);
// Density, base and formula as series of the report.
void add_density_series(App& app, const ComponentFacts& facts);
// z, energy, density, base and the formula's density, one row for each point.
[[nodiscard]] TextTable table_of(const ComponentFacts& facts);

// The model whose energies are the formulas.
[[nodiscard]] PriorChanges formulas_of(const std::vector<ToldComponent>& components);

[[nodiscard]] Json to_json(const Pruning& pruning);

}  // namespace logpx
