// First parameters of a circuit with a dictionary or styles, and how they learn.
// [spec/pc.md section 4.2b]
//
// Elements have fixed supports, so that a value touches few of them: some lie on the crowded range
// at the top, some on all values between it and 0, and the others are tents: linear around centres
// that are evenly spread over these values.
#pragma once

#include "libcore/base/parallel.hpp"
#include "libcore/families/pc/start.hpp"
#include "libcore/families/pc/styles/style_mixture.hpp"

#include <functional>

namespace logpx::pc {

struct GreyStart {
  const Examples& rows;
  const Frequencies& frequencies;
  Rng rng;
  Workers& workers;
  StyleTable styles = {};  // of a structure file; else they are learned
};
// Sets the styles of a circuit that has any, and leaves and elements of one with a dictionary.
struct GreyRows {
  RowPriors rules = {};  // of rows that have rules of their own, in the order of theta
  // Sets leaves and elements by other draws, the styles as they were; nothing where there are none.
  std::function<void(const Rng&)> draw_again = {};
};
[[nodiscard]] GreyRows start_greys(PcModel& model, const GreyStart& start);

}  // namespace logpx::pc
