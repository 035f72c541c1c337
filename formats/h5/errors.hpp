// HDF5's error stack turned into our Error.
#pragma once

#include "libcore/base/error.hpp"

#include <string>
#include <vector>

namespace logpx::h5 {

enum class Access { reading, writing };

// The file is of another kind: whoever opens it may know which.
class NotHdf5 : public Error {
  using Error::Error;
};

// To be called before HDF5 is used: no clean-up at exit (1.10.8 crashes there after a failed
// write), and no handler of errors, neither HDF5's printing one nor that of another library, which
// would take the stack before us. The handler is kept per thread.
void prepare_library();

// Throws the innermost reason on this thread's error stack. Without an errno, failed reading
// is a data error and failed writing an I/O error.
[[noreturn]] void fail_from_stack(const std::string& subject, Access access,
                                  Place where = Place::here());

// HDF5's whole stack at the last error that was thrown here on this thread, innermost first:
// "H5FD_sec2_open (H5FDsec2.c:352): ..."; nothing for any other error.
[[nodiscard]] std::vector<std::string> stack_behind(const Error& error);

}  // namespace logpx::h5
