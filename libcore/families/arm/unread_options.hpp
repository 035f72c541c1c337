// Options that count only together with others.
#pragma once

#include "libcore/families/arm/model.hpp"
#include "libcore/families/arm/training/learn_options.hpp"

namespace logpx::arm {

// A usage error for what was given and is not read.
void refuse_unread(const ArmModel& model, const LearnOptions& learning, const Fields& given);

}  // namespace logpx::arm
