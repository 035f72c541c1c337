// Built-in data for tests in one line:  auto text = synthetic("markov-text", 64, {"length=8"});
#pragma once

#include "libcore/data/synthetic.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace logpx {

struct SyntheticCase {
  std::string name;
  std::vector<std::string> settings;  // "key=value"
};

[[nodiscard]] inline SyntheticRequest request_of(const SyntheticCase& wanted, std::int64_t n) {
  SyntheticRequest request{.name = wanted.name, .n = n, .seed = 1, .options = {}};
  Fields fields;
  request.options.describe(fields);
  for (const std::string& setting : wanted.settings) fields.set(setting, Origin::option);
  return request;
}

// Each generator as it comes, then those whose options change what is computed.
[[nodiscard]] inline std::vector<SyntheticCase> synthetic_cases() {
  std::vector<SyntheticCase> cases;
  for (const GeneratorEntry& entry : generators()) cases.push_back({entry.name, {}});
  const std::vector<SyntheticCase> further = {
      {"digits", {"size=14", "noise=3", "classes=0,1,7"}},
      {"digits", {"size=8", "elastic=false"}},
      {"scenes", {"size=16", "glyph=true"}},
      {"gauss", {"cov=diag"}},
      {"gauss", {"cov=toeplitz:0.9"}},
      {"gauss", {"cov=lowrank:3,0.5"}},
      {"shapes2d", {"shape=grid25"}},
      {"shapes2d", {"shape=checkerboard"}},
      {"shapes2d", {"shape=two-moons"}},
      {"shapes2d", {"shape=pinwheel"}},
      {"shapes2d", {"shape=spiral", "sigma=0.2"}},
      {"shapes2d", {"shape=spiral", "bits=8"}},
      {"shapes2d", {"shape=checkerboard", "bits=8"}},
      {"parity", {"noise=0.1"}},
      {"bernoulli-mix", {"dim=7", "enumerate=true"}},
      {"tree", {"dim=20", "alphabet=4"}},
      {"markov-text", {"order=0"}},
      {"markov-text", {"order=3", "length=40"}},
      {"markov-text", {"words=true"}},
      {"hmm-text", {"states=4", "alphabet=5"}},
      {"bytes", {"mixture=random", "length=1001"}},
      {"molecules", {"min_atoms=2", "max_atoms=4", "elements=C,N,S"}},
      {"table", {"holes=0.2", "components=2"}}};
  cases.insert(cases.end(), further.begin(), further.end());
  return cases;
}

}  // namespace logpx
