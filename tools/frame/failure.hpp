// How a tool ends when something went wrong: one message and an exit code, also under mpirun, where
// every rank may find the same.
#pragma once

#include "libcore/base/error.hpp"

namespace logpx {

class Messages;

[[nodiscard]] int exit_code(ErrorKind kind);

// Which of the processes of mpirun this is; 0 when it is alone.
[[nodiscard]] int launched_rank();

// Says it and returns the exit code. A rank other than the first waits for rank 0 to say the same,
// upon which the launcher ends all; if that does not happen, it says its error and its number.
[[nodiscard]] int say_failure(Messages& messages, const Error& error);

}  // namespace logpx
