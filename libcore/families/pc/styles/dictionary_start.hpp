// First parameters of a circuit with a dictionary or styles, and how they learn.
// [pc/README 4.3]
//
// Elements have fixed supports, so that a value touches few of them: some cover the crowded range
// at the top, some all values between it and 0, and the others are tents over these values, linear
// around evenly spread centres.
#pragma once

#include "libcore/base/parallel.hpp"
#include "libcore/families/pc/start.hpp"
#include "libcore/families/pc/styles/style_mixture.hpp"

#include <functional>

namespace logpx::pc {

struct GreyStart {
  Examples rows;
  const Frequencies& frequencies;
  Rng rng;
  Workers& workers;
  StyleTable styles = {};  // from a structure file; empty: they are learned
};
// Sets the styles of a circuit that has any, and leaves and elements of one with a dictionary.
struct GreyRows {
  RowPriors rules = {};  // for rows that EM treats differently, in the order of theta
  // Draws leaves and elements anew and keeps the styles; empty when there are none.
  std::function<void(const Rng&)> draw_again = {};
};
[[nodiscard]] GreyRows start_greys(PcModel& model, const GreyStart& start);

}  // namespace logpx::pc
