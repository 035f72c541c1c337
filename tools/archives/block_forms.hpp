// How the adaptive coder may see a block: the forms that it is likely to have, and how a form is
// written down.
#pragma once

#include "formats/archive/run_plan.hpp"
#include "libcore/codec/adaptive/form.hpp"

#include <vector>

namespace logpx::compress {

// Forms that the most frequent shape of a block's rasters suggests, or the header that its bytes
// begin with: one if it leaves no doubt, none where nothing is known.
[[nodiscard]] std::vector<codec::adaptive::Form> known_forms(const archive::BlockView& view,
                                                             archive::ByteView raw, bool packed);

[[nodiscard]] archive::BlockForm block_form(const codec::adaptive::Form& form);
[[nodiscard]] codec::adaptive::Form form_of(const archive::BlockForm& form);

}  // namespace logpx::compress
