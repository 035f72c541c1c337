// Options of a diffusion model that count only together with others.
#pragma once

#include "libcore/families/vdm/presets.hpp"

namespace logpx::vdm {

class VdmModel;

// A usage error for an option that was given on the command line, but that nothing reads in
// training this model.
void refuse_unread(const VdmModel& model, const LearnOptions& learning, const Fields& given);

}  // namespace logpx::vdm
