// How a diffusion model is trained, besides what all trainers have.   [vdm/README 5.2, 7]
#pragma once

#include "libcore/families/vdm/training/augmentation.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace logpx {
class Fields;
}

namespace logpx::vdm {

struct Config;

enum class TimeDraws { low_discrepancy, iid };
enum class EndpointGradient { path, boundary };

struct LearnOptions {
  std::string weight = "vlb";  // a word of LossWeight
  TimeDraws times = TimeDraws::low_discrepancy;
  EndpointGradient endpoint_gradient = EndpointGradient::path;
  double gamma_lr_mult = 1;
  bool decay_schedule = false;
  std::vector<std::string> augment = {};
  std::int64_t mse_rows = 64;
  std::string moments;  // a file with those of x, for linear-gauss; empty: those of the data

  // What goes with what depends on the model, too.
  void describe(Fields& fields, const Config& model);
  // Usage errors for what contradicts a settled config.
  void validate(const Config& config) const;
};

}  // namespace logpx::vdm
