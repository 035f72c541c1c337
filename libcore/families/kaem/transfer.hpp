// Parts of trained models that a fit begins with: the prior of one, the generator of another. The
// options that describe such a part come with it.   [kaem/README 10]
//
//   const StartParts parts{.prior = {&trained, "k.h5"}};
//   take_options(parts, given, config);     // before the model is built
//   take_tensors(parts, kaem);              // after it was initialised
#pragma once

#include "libcore/families/kaem/config.hpp"
#include "libcore/model/model.hpp"

#include <string>

namespace logpx::kaem {

class KaemModel;

struct StartPart {
  Model* model = nullptr;  // nullptr: the part is initialised
  std::string name = {};   // of its file, for messages
};
struct StartParts {
  StartPart prior = {}, generator = {};
  [[nodiscard]] bool any() const { return prior.model != nullptr || generator.model != nullptr; }
};

// The config in one spelling where there are several; its latents must be valid.
[[nodiscard]] Config spelt_out(Config config);
// Whether two texts of a field mean the same.
[[nodiscard]] bool same_value(const std::string& a, const std::string& b);

// `given` are the options of the run. A usage error with both values where one of them contradicts
// a part, or two parts contradict each other; a data error where a model is no KAEM.
void take_options(const StartParts& parts, const Fields& given, Config& config);

// Parameters, grids, domains, masks and formulas, to the last bit. A data error where the generator
// makes other x than the data have.
void take_tensors(const StartParts& parts, KaemModel& model);

}  // namespace logpx::kaem
