// Parts of trained models that a fit begins with: the prior of one, the generator of another. The
// options that say what such a part is come with it.   [spec/kaem.md section 11]
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
  Model* model = nullptr;  // none: the part is as it is initialised
  std::string name = {};   // of its file, for messages
};
struct StartParts {
  StartPart prior = {}, generator = {};
  [[nodiscard]] bool any() const { return prior.model != nullptr || generator.model != nullptr; }
};

// What a config says, in one way where there are several; its latents must be valid.
[[nodiscard]] Config spelt_out(Config config);
// Of two texts of a field.
[[nodiscard]] bool same_value(const std::string& a, const std::string& b);

// `given` are the options of the run: where one was given that says otherwise than a part that is
// taken, or two parts do not go together, it is a usage error with both values. A data error where
// a model is no KAEM.
void take_options(const StartParts& parts, const Fields& given, Config& config);

// Parameters, grids, domains, masks and formulas, to the last bit. A data error where the generator
// makes other x than the data have.
void take_tensors(const StartParts& parts, KaemModel& model);

}  // namespace logpx::kaem
