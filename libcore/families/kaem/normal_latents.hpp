// The latents of a KAEM outside of its training: normal scores v ~ N(0, I), z = F^-1(Phi(v)), by
// which methods for models with latents serve every prior.   [kaem/README 4.4]
#pragma once

#include "libcore/model/latents.hpp"

#include <memory>

namespace logpx::kaem {

class KaemModel;

[[nodiscard]] std::unique_ptr<ModelLatents> make_latents(const KaemModel& model);

}  // namespace logpx::kaem
