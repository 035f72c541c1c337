// Named settings.   [spec/vae.md section 8]
#pragma once

#include "libcore/families/vae/objective.hpp"
#include "libcore/train/options.hpp"

#include <string>
#include <vector>

namespace logpx::vae {

struct Settings {
  Config model;
  ObjectiveOptions objective;
  TrainOptions training;
};

[[nodiscard]] const std::vector<std::string>& preset_names();
// A usage error for a name that is not among them.
void apply_preset(const std::string& name, Settings& settings);

}  // namespace logpx::vae
