// What log p(x) is the logarithm of. Numbers of two measures have no common scale: nothing compares
// them, or draws one beside the other, without saying so.   [data/README 1.2]
#pragma once

#include <string>

namespace logpx {

struct MeasuredAs {
  std::string word = {};          // "probability", "density", "surrogate"; empty: nobody said
  std::string density_of = {};    // "x" as it is stored, "x/255", "8 principal axes"
  bool comparable_to_rgb = true;  // false: a probability of colours as they are read with loss

  [[nodiscard]] bool known() const { return !word.empty(); }
  // "probability", "density of x/255"
  [[nodiscard]] std::string text() const {
    if (!comparable_to_rgb) return word + " of colours with loss";
    return density_of.empty() ? word : word + " of " + density_of;
  }
  friend bool operator==(const MeasuredAs&, const MeasuredAs&) = default;
};

// Whether both are known and differ.
[[nodiscard]] inline bool differ(const MeasuredAs& a, const MeasuredAs& b) {
  return a.known() && b.known() && !(a == b);
}

}  // namespace logpx
