// Options of a KAEM that count only together with others.   [cli.md section 7]
#pragma once

#include "libcore/families/kaem/presets.hpp"

namespace logpx::kaem {

// A usage error for an option that was given on the command line, but that nothing reads under the
// settings as they are. They must be settled: what contradicts itself is refused before.
void refuse_unread(const Settings& settings, const Fields& given);

}  // namespace logpx::kaem
