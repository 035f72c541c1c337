// How large the curves in the layers of a generator are.   [spec/kaem.md 9.1]
#pragma once

#include "libcore/model/prior.hpp"

#include <span>
#include <vector>

namespace logpx::kaem {

class KaemModel;

// The mean of |phi_io| over s [n,Q], of every layer of curves; none where there are no such layers.
[[nodiscard]] std::vector<LayerEdges> layer_edges(const KaemModel& model, std::span<const float> s);

}  // namespace logpx::kaem
