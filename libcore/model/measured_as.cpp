#include "libcore/model/measured_as.hpp"

namespace logpx {

MeasuredAs measured_as(const ModelInfo& info) {
  if (info.surrogate) return {.word = "surrogate"};
  // The space of whole numbers is that of colours, if it is not that of the data.
  if (info.measure == Measure::counting)
    return {.word = "probability", .comparable_to_rgb = info.space.empty()};
  return {.word = "density", .density_of = info.space.empty() ? "x" : info.space};
}

}  // namespace logpx
