// The version of logpx, what it was built with and what it runs on.
#pragma once

#include "formats/json/value.hpp"
#include "tools/frame/help.hpp"

#include <string>

namespace logpx {

[[nodiscard]] const char* version();
[[nodiscard]] const char* commit();
[[nodiscard]] Json
libraries();  // {"hdf5": "1.10.8", ...}; optional parts that are left out are null
[[nodiscard]] std::string compiler();
[[nodiscard]] Json host(const ToolSpec& spec);  // {cpu, blas, blas_kernel, compiler, libraries}
[[nodiscard]] std::string version_text(const ToolSpec& spec);  // for --version

}  // namespace logpx
