// Options that have an effect only together with others.
#pragma once

#include "libcore/families/arm/model.hpp"
#include "libcore/families/arm/training/learn_options.hpp"

namespace logpx::arm {

// A usage error for an option that was given and has no effect.
void refuse_unread(const ArmModel& model, const LearnOptions& learning, const Fields& given);

}  // namespace logpx::arm
