// Which queries a model answers, and at what cost.   [pc/README 9.10]
#pragma once

#include "libcore/model/abilities.hpp"

namespace logpx {

class App;

// Writes text to stdout, or with --json into the report.
void list_queries(App& app, const Abilities& can);

}  // namespace logpx
