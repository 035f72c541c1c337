// The description of a block's trees: zlib's, or where it differs from that.
#pragma once

#include "formats/deflate/decisions.hpp"
#include "formats/deflate/trees.hpp"

namespace logpx::deflate {

// Writes `actual`, or reads it; `counts` are those of the block's tokens, `told` is what zlib makes
// of them. A data error if what is read describes no trees.
[[nodiscard]] Trees code_trees(Decisions& decisions, const SymbolCounts& counts, const Trees& told,
                               const Trees& actual);

}  // namespace logpx::deflate
