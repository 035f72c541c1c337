// Single draws of the gradient estimators of training, for studies of their noise: gradients by the
// encoder's parameters, in which they differ.   [vae/README 5.3]
#pragma once

#include "libcore/model/gradients.hpp"

#include <cstdint>
#include <memory>

namespace logpx::vae {

class VaeModel;

struct GradientSettings {
  std::int64_t k = 5;  // weights of iwae and iwae-dreg; the others draw once
};

// sgvb-a, sgvb-b, score-function, score-function-baseline (the mean reward of a draw apart), iwae,
// iwae-dreg. Null without an encoder, and where p(z) is not N(0, I).
[[nodiscard]] std::unique_ptr<ModelGradients> make_gradients(const VaeModel& model,
                                                             const GradientSettings& settings);

}  // namespace logpx::vae
