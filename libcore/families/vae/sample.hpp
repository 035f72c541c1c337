// Ways through the latent space: z ~ p(z), x ~ p(x|z), q(z|x), and log p(x,z) with its gradient.
#pragma once

#include "libcore/model/latents.hpp"

#include <memory>

namespace logpx::vae {

class VaeModel;

[[nodiscard]] std::unique_ptr<ModelLatents> make_latents(const VaeModel& model);

}  // namespace logpx::vae
