// How a tool ends after an error: one message and an exit code, also under mpirun, where every rank
// may find the same error.
#pragma once

#include "libcore/base/error.hpp"

namespace logpx {

class Messages;

[[nodiscard]] int exit_code(ErrorKind kind);

// Which of the processes of mpirun this is; 0 when it is alone.
[[nodiscard]] int launched_rank();

// Prints the error and returns the exit code. Ranks other than the first wait for rank 0 to print
// the same, after which the launcher ends all; if that does not happen, they print it themselves.
[[nodiscard]] int say_failure(Messages& messages, const Error& error);

}  // namespace logpx
