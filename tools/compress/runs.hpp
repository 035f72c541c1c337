// What the two compression tools do, behind their options.
#pragma once

#include "tools/compress/options.hpp"

namespace logpx {
class App;
}

namespace logpx::compress {

void run_encode(App& app, EncodeOptions& options);
void run_decode(App& app, DecodeOptions& options);

}  // namespace logpx::compress
