// What a block of bytes looks like: short parts of it are coded in every way that could fit, and
// the shortest is taken. Rows are looked for at the distances at which bytes are most alike.
#pragma once

#include "libcore/codec/adaptive/form.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx::codec::adaptive {

// `known` are forms that somebody has reason to think of. One alone is not put in doubt; of several
// the best is sought, and text is looked at too; where nothing is known records and rasters of
// likely rows.
[[nodiscard]] Form likely_form(std::span<const std::uint8_t> data, std::span<const Form> known);

// Distances of 2 to 4096 bytes at which a sample is more alike than at those beside them, the best
// first; at most `most`.
[[nodiscard]] std::vector<std::uint32_t> likely_rows(std::span<const std::uint8_t> sample,
                                                     std::size_t most);

}  // namespace logpx::codec::adaptive
