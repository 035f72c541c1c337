// The likeliest few of several choices.
#pragma once

#include <span>

namespace logpx::arm {

// Keeps the fewest probabilities, largest first (of equals the first), that sum to top_p, and
// divides them by their sum; the others become 0. 1: all stay as they are; 0: the largest alone.
void keep_nucleus(std::span<double> p, double top_p);

// Probabilities of logits at a temperature; 0: 1 for the largest (of equals the first).
void tempered(std::span<const double> logits, double temperature, std::span<double> p);

}  // namespace logpx::arm
