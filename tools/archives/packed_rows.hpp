// Rasters of samples of 0 and 1 for the adaptive coder: packed into bits, each row starting a new
// byte.
#pragma once

#include "formats/archive/run_plan.hpp"

namespace logpx::compress {

// Whether a block consists of whole rasters.
[[nodiscard]] bool can_be_packed(const archive::BlockView& view);
[[nodiscard]] std::size_t packed_bytes(const archive::BlockView& view);
[[nodiscard]] archive::ByteVector pack_rows(archive::ByteView samples,
                                            const archive::BlockView& view);
[[nodiscard]] archive::ByteVector unpack_rows(archive::ByteView packed,
                                              const archive::BlockView& view);

}  // namespace logpx::compress
