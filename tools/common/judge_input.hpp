// The sets that fid-extrapolate compares, as features in memory.
#pragma once

#include "formats/feature_set.hpp"

#include <string>

namespace logpx {

class App;

// Features or statistics that were made before; an input of the report in this role.
[[nodiscard]] FeatureSet open_features(App& app, const std::string& path, const std::string& role);

// How the latents of samples were spread, "sobol", as the provenance of features has it of what
// they are of; null where nothing says so.
[[nodiscard]] Json qmc_of(const FeatureSet& set);

}  // namespace logpx
