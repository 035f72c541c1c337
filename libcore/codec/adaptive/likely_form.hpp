// Guesses the form of a block: short parts of it are coded in every form that could fit, and the
// shortest wins. Candidates for the row are distances at which bytes are most alike.
#pragma once

#include "libcore/codec/adaptive/form.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace logpx::codec::adaptive {

// At most three forms, the likeliest first. `known` are forms that the caller has reason to expect.
// One alone is taken as it is; of several, usual records and text, the best are sought; without
// any, records and rasters of likely rows are tried. Those in `joined` are taken where they do
// nearly as well.
[[nodiscard]] std::vector<Form> likely_forms(std::span<const std::uint8_t> data,
                                             std::span<const Form> known,
                                             std::span<const Form> joined = {});

[[nodiscard]] inline Form likely_form(std::span<const std::uint8_t> data,
                                      std::span<const Form> known) {
  return likely_forms(data, known).front();
}

// Whether pixels of so many bytes often equal the one before, as in drawings and on screens.
[[nodiscard]] bool looks_drawn(std::span<const std::uint8_t> data, std::size_t pixel);

// Distances of 2 to 4096 bytes at which a sample is more alike than at those beside them, the best
// first; at most `most`.
[[nodiscard]] std::vector<std::uint32_t> likely_rows(std::span<const std::uint8_t> sample,
                                                     std::size_t most);

}  // namespace logpx::codec::adaptive
