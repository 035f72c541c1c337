// Rasters for the adaptive coder: forms that fit their shapes, and rows of samples of 0 and 1
// packed into bits, each row starting a new byte.
#pragma once

#include "formats/archive/run_plan.hpp"
#include "libcore/codec/adaptive/form.hpp"

#include <vector>

namespace logpx::compress {

// Whether a block consists of whole rasters.
[[nodiscard]] bool can_be_packed(const archive::BlockView& view);
[[nodiscard]] std::size_t packed_bytes(const archive::BlockView& view);
[[nodiscard]] archive::ByteVector pack_rows(archive::ByteView samples,
                                            const archive::BlockView& view);
[[nodiscard]] archive::ByteVector unpack_rows(archive::ByteView packed,
                                              const archive::BlockView& view);

// Forms that the most frequent shape in a block suggests: one if it leaves no doubt; none for
// bytes.
[[nodiscard]] std::vector<codec::adaptive::Form> known_forms(const archive::BlockView& view,
                                                             bool packed);

}  // namespace logpx::compress
