// Which queries a model answers, and at what cost.   [spec/pc.md section 13]
#pragma once

#include "libcore/model/model.hpp"

namespace logpx {

class App;

// As text on stdout, or in the report with --json.
void list_queries(App& app, const Model& model);

}  // namespace logpx
