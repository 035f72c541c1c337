// The variational auto-encoder as registry and trainer see it.
#pragma once

#include "libcore/families/family.hpp"
#include "libcore/families/vae/presets.hpp"

namespace logpx::vae {

[[nodiscard]] Family family();

// A usage error when settings and data do not fit each other. Refers to the data.
[[nodiscard]] Trainee make_trainee(const Settings& settings, const TaskData& data, Rng rng);

}  // namespace logpx::vae
