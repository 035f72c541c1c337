// The header of an npy array, versions 1.0 to 3.0.
#pragma once

#include "formats/import/array.hpp"

namespace logpx {

// Leaves the stream at the first element. Object arrays are refused: nothing is ever unpickled.
[[nodiscard]] ArrayLayout read_npy_header(ByteStream& stream);

}  // namespace logpx
