// Settings that a library reads before main() begins reach it by starting the program once more:
//
//   restart_with("OPENBLAS_CORETYPE", "Haswell", argv);  // the second time it returns at once
#pragma once

#include <string>

namespace logpx {

// Starts this program again with an environment variable. Returns where the variable is there
// already, the value is empty, or the program cannot be started again.
void restart_with(const char* variable, const std::string& value, char** argv);

}  // namespace logpx
