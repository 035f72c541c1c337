// Options of a KAEM that count only together with others.
#pragma once

#include "libcore/families/kaem/presets.hpp"

namespace logpx::kaem {

// A usage error for an option that was given on the command line, but that nothing reads under
// these settings, which must be settled and valid.
void refuse_unread(const Settings& settings, const Fields& given);

}  // namespace logpx::kaem
