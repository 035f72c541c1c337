// The prior of a KAEM, density by density, for tools that explain it, prune it or sample from it.
// [spec/kaem.md sections 5, 9]
#pragma once

#include "libcore/model/prior.hpp"

#include <memory>

namespace logpx::kaem {

class KaemModel;

[[nodiscard]] std::unique_ptr<ModelPrior> make_prior(const KaemModel& model);

}  // namespace logpx::kaem
