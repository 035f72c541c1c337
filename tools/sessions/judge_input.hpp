// The sets that fid-extrapolate compares, as features in memory: read from files, or extracted by a
// single extractor.
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
  // Keeps a reference to `options`. A usage error for options of extractors if there is none.
  JudgeInput(App& app, const FeatureOptions& options);

  // Opens an operand and notes it as an input of the report in this role.
  [[nodiscard]] FeatureSet open(const std::string& operand, const std::string& role);

 private:
  [[nodiscard]] FeatureSet made_before(const std::string& path, const std::string& role);
  [[nodiscard]] FeatureSet extracted(const std::string& operand, const std::string& role);

  App& app_;
  const FeatureOptions& options_;
  FeatureSource source_;
};

// How the latents of samples were spread ("sobol"), from the provenance of their features; null if
// unknown.
[[nodiscard]] Json qmc_of(const FeatureSet& set);

}  // namespace logpx
