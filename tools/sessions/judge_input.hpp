// The sets that fid-extrapolate compares, as features in memory: made before, or now by one and the
// same extractor.
//
//   JudgeInput input(app, options);
//   const FeatureSet real = input.open("photos/", "real");
#pragma once

#include "formats/feature_set.hpp"
#include "tools/sessions/feature_source.hpp"

#include <string>

namespace logpx {

class App;

class JudgeInput {
 public:
  // Keeps `options`. A usage error for options of extractors where there is none.
  JudgeInput(App& app, const FeatureOptions& options);

  // An input of the report in this role.
  [[nodiscard]] FeatureSet open(const std::string& operand, const std::string& role);

 private:
  [[nodiscard]] FeatureSet made_before(const std::string& path, const std::string& role);
  [[nodiscard]] FeatureSet extracted(const std::string& operand, const std::string& role);

  App& app_;
  const FeatureOptions& options_;
  FeatureSource source_;
};

// How the latents of samples were spread, "sobol", as the provenance of features has it of what
// they are of; null where nothing says so.
[[nodiscard]] Json qmc_of(const FeatureSet& set);

}  // namespace logpx
