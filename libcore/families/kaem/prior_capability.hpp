// The prior of a KAEM, density by density, for tools that explain it, prune it or sample from it.
// [kaem/README 4 and 9]
#pragma once

#include "libcore/model/prior.hpp"

#include <memory>

namespace logpx::kaem {

class KaemModel;

[[nodiscard]] std::unique_ptr<ModelPrior> make_prior(const KaemModel& model);

}  // namespace logpx::kaem
