// log p(x|s) of rows x, each under several s, as a graph.
//
//   ExecutorPool pool(
//       [&](std::int64_t rows, std::int64_t) { return likelihood_graph(model, {rows, 4}); },
//       {.from = "log_likelihood", .inputs = {"s"}});
//   bind_rows(model, x, loan.inputs());
#pragma once

#include "libcore/grad/graph_inputs.hpp"

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
