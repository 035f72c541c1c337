// The patterns that QED counts, as SMARTS.
#pragma once

#include <span>

namespace logpx {

[[nodiscard]] std::span<const char* const> qed_acceptors();  // each match counts
[[nodiscard]] std::span<const char* const> qed_alerts();     // a pattern counts once
// Atoms of rings that are not aromatic: the rings that are left without them count as aromatic.
[[nodiscard]] const char* qed_aliphatic();

}  // namespace logpx
