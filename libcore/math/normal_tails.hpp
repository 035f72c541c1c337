// How far out a number lies in a mixture of normals.
#pragma once

#include <span>

namespace logpx {

struct TailPart {
  double weight = 0;  // above 0, on any scale
  double z = 0;       // the number, in deviations from the part's mean
  double half = 0;    // half the width of what counts as this number, in the same deviations
};

// Logarithms of the weights of what is not above the number, and of what is not below it: finite
// however far out that is.
struct LogTails {
  double below, above;
};
[[nodiscard]] LogTails log_tails(std::span<const TailPart> parts);

}  // namespace logpx
