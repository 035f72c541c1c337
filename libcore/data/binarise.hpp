// Pixels 0..255 to bits, by threshold or by a draw: figures compare only under the same rule.
// [data/README 2.1]
#pragma once

#include "libcore/base/field.hpp"
#include "libcore/base/rng.hpp"

#include <cstdint>
#include <span>
#include <string>

namespace logpx {

enum class Binarise { none, threshold, fixed, dynamic };  // fixed is spelled `static`

struct Binarisation {
  Binarise rule = Binarise::none;
  int threshold = 128;
};

// "none", "threshold", "threshold:100", "static", "dynamic"; a usage error names --binarise.
[[nodiscard]] Binarisation parse_binarisation(const std::string& text);

// What the seed of the static draw goes with, for the options of whatever holds this rule.
[[nodiscard]] Condition static_draw(const std::string& rule);

// The draw that every model is evaluated on, whatever the seed of the run: sub 0xffffffff.
[[nodiscard]] Substream evaluation_bits(std::uint64_t seed = 1);
// The draw of one epoch of training.
[[nodiscard]] Substream training_bits(Rng rng, std::uint32_t epoch);

// 1 where x >= threshold, in place.
void binarise_by_threshold(std::span<std::uint8_t> x, int threshold);
// 1 where u < x/255, with u the uniform of element first_element + i; dimension j of row r of the
// dataset is element r * dims + j. In place.
void binarise_by_draw(std::span<std::uint8_t> x, std::uint64_t first_element, Substream bits);

}  // namespace logpx
