// What the log p(x) of a model is the logarithm of.
#pragma once

#include "libcore/data/measure.hpp"
#include "libcore/model/model.hpp"

namespace logpx {

[[nodiscard]] MeasuredAs measured_as(const ModelInfo& info);

}  // namespace logpx
