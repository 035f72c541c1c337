#pragma once

#include <string>

namespace logpx {

[[nodiscard]] std::string hdf5_version();  // of the library that is loaded

}  // namespace logpx
