// Which logpx this is, and what it was built with and runs on.
#pragma once

#include "formats/json/value.hpp"

#include <string>

namespace logpx {

[[nodiscard]] const char* version();
[[nodiscard]] const char* commit();
[[nodiscard]] Json
libraries();  // {"hdf5": "1.10.8", ...}; optional parts that are left out are null
[[nodiscard]] std::string compiler();
[[nodiscard]] Json host();  // {cpu, blas, blas_kernel, compiler, libraries}
[[nodiscard]] std::string version_text(const std::string& tool);  // for --version

}  // namespace logpx
