#include "libcore/model/measured_as.hpp"

namespace logpx {

MeasuredAs measured_as(const ModelInfo& info) {
  if (info.surrogate) return {.word = "surrogate"};
  if (info.measure == Measure::counting) return {.word = "probability"};
  return {.word = "density", .density_of = info.space.empty() ? "x" : info.space};
}

}  // namespace logpx
