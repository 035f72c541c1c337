// log p(x|s) of rows x, each under several s, as a graph.
//
//   const std::unique_ptr<Graph> graph = likelihood_graph(model, {.rows = 32, .copies = 4});
//   bind_rows(model, x, inputs);
//   std::ranges::copy(s, inputs.values("s").begin());
#pragma once

#include "libcore/grad/graph_inputs.hpp"
#include "libcore/model/likelihood.hpp"

#include <cstdint>
#include <memory>
#include <span>

namespace logpx::kaem {

class KaemModel;

struct PairedRows {
  std::int64_t rows = 1, copies = 1;  // M, L
  // before_activation: an input "noise" [L M, noise_size()]
  enum class Noise { none, before_activation } noise = Noise::none;
  // shown: the heads, by name_heads(), a row for each s
  enum class Heads { hidden, shown } heads = Heads::hidden;
};
// Output "log_likelihood" [L,M] of x [M,D] and s [L M, Q].
[[nodiscard]] std::unique_ptr<Graph> likelihood_graph(const KaemModel& model,
                                                      const PairedRows& paired);
// Fills all inputs that follow from x [M,D], and those of the generator's state.
void bind_rows(const KaemModel& model, std::span<const float> x, GraphInputs& inputs);

}  // namespace logpx::kaem
