// The family, for families/registry and for the tool that fits its models.
#pragma once

#include "libcore/families/family.hpp"
#include "libcore/families/kaem/presets.hpp"
#include "libcore/families/kaem/transfer.hpp"

namespace logpx::kaem {

[[nodiscard]] Family family();
[[nodiscard]] Trainee make_trainee(const Settings& settings, const TaskData& data, Rng rng,
                                   const StartParts& parts = {});

}  // namespace logpx::kaem
