// Which of several forms codes data best, as far as parts of it tell.
#pragma once

#include "libcore/codec/adaptive/form.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx::codec::adaptive {

struct TriedForm {
  Form form;
  double bytes = 0;  // that all of the data is thought to take
};

// At most three, the best first, and none that is clearly worse than another. Forms that do not fit
// are passed over.
[[nodiscard]] std::vector<TriedForm> best_forms(std::span<const Form> forms,
                                                std::span<const std::uint8_t> data);

}  // namespace logpx::codec::adaptive
