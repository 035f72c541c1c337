// The curves in the layers of a generator, and how large they are.   [kaem/README 9.1]
#pragma once

#include "libcore/energy/energy_values.hpp"
#include "libcore/grad/graph.hpp"
#include "libcore/model/prior.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace logpx::kaem {

class KaemModel;

// Layer k as features, its inputs, with curves of their own.
[[nodiscard]] EnergyValues layer_curves(const KaemModel& model, std::int64_t k);
// A graph from "s" [rows,Q] whose outputs of these names are what the layers of curves are given.
[[nodiscard]] std::unique_ptr<Graph> layer_inputs_graph(const KaemModel& model, std::int64_t rows);
[[nodiscard]] std::string layer_input_name(std::int64_t k);
// "generator/layer0": where the tensors of the layer lie.
[[nodiscard]] std::string layer_path(const KaemModel& model, std::int64_t k);

// The mean of |phi_io| over s [n,Q], of every layer of curves; none where there are no such layers.
[[nodiscard]] std::vector<LayerEdges> layer_edges(const KaemModel& model, std::span<const float> s);

}  // namespace logpx::kaem
