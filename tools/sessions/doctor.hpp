// `logpx doctor`: is everything that the tools need present, and as fast as it could be? Each
// finding is one line, with advice if something is wrong.
#pragma once

#include "tools/frame/app.hpp"

namespace logpx {

// Prints the findings, as text or with --json in the report; `spec` is that of a tool that
// computes. A finding that makes work impossible is also an error.
void examine_machine(App& app, const ToolSpec& spec);

}  // namespace logpx
