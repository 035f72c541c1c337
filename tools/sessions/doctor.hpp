// `logpx doctor`: is everything that the tools need here, and as fast as it could be? Each finding
// is one line, with what to do where something is not as it should be.
#pragma once

#include "tools/frame/app.hpp"

namespace logpx {

// Prints the findings, as text or with --json in the report; `spec` is of a tool that computes. A
// finding that makes work impossible is also an error.
void examine_machine(App& app, const ToolSpec& spec);

}  // namespace logpx
