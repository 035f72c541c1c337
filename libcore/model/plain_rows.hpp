// Rows as they are stored, neither binarised nor dequantised: for families that read and make
// levels or reals as they are.
//
//   const RowLosses losses(784, [](Var x) { return sum(log_sigmoid(x), {1}); });
//   const std::vector<double> nats = losses.log_p(params.block(), examples);
//   const SampleChunk chunk =
//       draw_rows(info, {0, 64}, rng, [](DrawCursor& draws, std::span<float> x) {
//         for (float& value : x) value = static_cast<float>(draws.normal());
//       });
#pragma once

#include "libcore/data/row_values.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/grad/executor_pool.hpp"
#include "libcore/model/plan.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace logpx {

// The rows with these numbers, counted from the first one held, to x [numbers, dims]: floats,
// images with channels first.
void take_rows(const Examples& examples, std::span<const std::int64_t> numbers, std::span<float> x);
void take_rows(const Examples& examples, std::span<float> x);  // all of them

// The items first .. last-1 of a dataset like `info`. draw(draws, x) makes one from draws of its
// own, with x [dims] as above, or with rules as the model sees rows.
struct ItemRange {
  std::int64_t first = 0, last = 0;
};
[[nodiscard]] SampleChunk draw_rows(
    const DatasetInfo& info, ItemRange items, const Rng& rng,
    const std::function<void(DrawCursor& draws, std::span<float> x)>& draw,
    const RowRules& rules = {});

// Nodes that depend on rows x [rows, dims] alone: log p(x), or a bound of it without noise, in nats
// [rows].
using RowLogP = std::function<Var(Var x)>;
// The graph of their losses: input "x", output "loss".
[[nodiscard]] BuildGraph loss_graph(std::int64_t dims, RowLogP log_p);

// log p(x), or its bound, by such a graph. From any thread.
class RowLosses {
 public:
  RowLosses(std::int64_t dims, RowLogP log_p) : passes_(loss_graph(dims, std::move(log_p)), {}) {}
  void compute_by(const Numerics& numerics);
  [[nodiscard]] std::vector<double> log_p(std::span<const float> theta,
                                          const Examples& examples) const;

 private:
  mutable ExecutorPool passes_;
};

}  // namespace logpx
