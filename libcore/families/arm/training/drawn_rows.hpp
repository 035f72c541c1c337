// The random inputs of a row in the graph of the objective: its order, and a place in it.
#pragma once

#include "libcore/families/arm/model.hpp"

#include <cstdint>
#include <span>

namespace logpx::arm {

struct RowDraw {
  std::size_t row = 0;        // of the graph
  double time = 0;            // in [0,1): the place is this share of the way along the order
  Substream orders;           // uniforms, two for every dim, from ...
  std::uint64_t element = 0;  // ... this one on
};
// Sets the inputs of objective.hpp for one row with values x [dims].
void bind_row(const ArmModel& model, const NetLayout& layout, const RowDraw& draw,
              std::span<const std::int32_t> x, GraphInputs& inputs);

}  // namespace logpx::arm
