// Samples of a model, made a stretch at a time in fixed blocks: neither threads nor the number
// asked for at once changes them.   [eval/README 7]
//
//   const auto maker =
//       make_walk({can.info(), can.codes}, manifold(can.latents->dims(), 20, {}));
//   for (std::int64_t begin = 0; begin < maker->items(); begin += maker->stretch()) {
//     const std::int64_t end = std::min(begin + maker->stretch(), maker->items());
//     const SampleChunk chunk = maker->make(begin, end, workers);
//   }
#pragma once

#include "libcore/base/parallel.hpp"
#include "libcore/model/abilities.hpp"
#include "libcore/model/row_codes.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace logpx {

// Points of latent space that are worth looking at: grids of quantiles, lines between two points,
// axes. Ordered by the rows of a picture, `columns` points to a row.   [eval/README 7]
struct LatentWalk {
  std::int64_t dims = 0, columns = 0;
  std::vector<float> z;  // [count, dims]
  [[nodiscard]] std::int64_t count() const;
};

// Phi^-1((i + 1/2) / nodes): equal shares of N(0, 1) around every node.
[[nodiscard]] std::vector<double> quantile_axis(std::int64_t nodes);

// Two latents on a square of nodes^2 quantiles, the others 0: the first grows to the right, the
// second upwards.   [AEVB appendix A]
struct LatentPlane {
  std::int64_t right = 0, up = 1;
};
[[nodiscard]] LatentWalk manifold(std::int64_t dims, std::int64_t nodes, LatentPlane plane);

// One row per axis: that latent from low to high in equal steps, the others 0.
struct Stretch {
  double low = -3, high = 3;
};
[[nodiscard]] LatentWalk traversal(std::int64_t dims, std::span<const std::int64_t> axes,
                                   Stretch stretch, std::int64_t points);

// line: (1-t) a + t b.
// arc:  sin((1-t) w)/sin(w) a + sin(t w)/sin(w) b, w the angle between a and b [Shoemake 1985]: it
// keeps the length where that of a and b is one; a line where the two are parallel or one is 0.
enum class Path { line, arc };
[[nodiscard]] std::vector<double> between(std::span<const double> a, std::span<const double> b,
                                          double t, Path path);
// t = 0 .. 1 in equal steps.
[[nodiscard]] LatentWalk interpolation(std::span<const float> a, std::span<const float> b,
                                       std::int64_t points, Path path);

class SampleMaker {
 public:
  virtual ~SampleMaker() = default;
  // For all rows, n included.
  [[nodiscard]] const DatasetInfo& info() const { return info_; }
  [[nodiscard]] std::int64_t grid_columns() const { return grid_columns_; }  // 0: any
  [[nodiscard]] bool gives_means() const { return gives_means_; }

  // One sample or a few that belong together.
  [[nodiscard]] std::int64_t items() const { return items_; }
  // How many items one call should make: whole blocks.
  [[nodiscard]] std::int64_t stretch() const { return 16 * block_; }
  // Makes items begin..end-1; begin is a multiple of stretch().
  [[nodiscard]] virtual SampleChunk make(std::int64_t begin, std::int64_t end,
                                         Workers& workers) = 0;
  // About how long all of them will take, from a short trial; 0: not known.
  [[nodiscard]] virtual double expected_seconds(const Workers&) const { return 0; }

 protected:
  SampleMaker(DatasetInfo info, std::int64_t items, std::int64_t block);
  // Joins what make_block(first, end) gives for the blocks of begin..end-1.
  using BlockMaker = std::function<SampleChunk(std::int64_t, std::int64_t)>;
  [[nodiscard]] SampleChunk join_blocks(std::int64_t begin, std::int64_t end, Workers& workers,
                                        const BlockMaker& make_block) const;

  DatasetInfo info_;
  std::int64_t items_, block_, grid_columns_ = 0;
  bool gives_means_ = false;
};

// Rows begin..end-1 of a dataset that the model can read.
struct DataPart {
  RowSource& data;
  std::int64_t begin = 0, end = 0;
};

// This many items of a settled plan, in the model's blocks.
[[nodiscard]] std::unique_ptr<SampleMaker> make_samples(const Model& model,
                                                        std::unique_ptr<SamplingPlan> plan,
                                                        std::int64_t items, Rng rng);
// A model and the codes of its rows.
struct CodedModel {
  const ModelInfo& info;
  std::shared_ptr<const RowCodes> codes;
};
// The mean of x at every point.
[[nodiscard]] std::unique_ptr<SampleMaker> make_walk(CodedModel model, LatentWalk walk);
// The codes of rows, with the labels of the data; their log-variances, if they have any.
[[nodiscard]] std::unique_ptr<SampleMaker> make_encodings(CodedModel model, DataPart part);
// Three for every row of a model with latents: x as the model sees it, the mean of p(x|z) at the
// posterior mean, and a draw of p(x|z) at a draw of q(z|x). Their class is the role: input, mean,
// draw.
[[nodiscard]] std::unique_ptr<SampleMaker> make_reconstructions(const Abilities& can, DataPart part,
                                                                Rng rng);

// The code of one row.
[[nodiscard]] std::vector<float> encode_row(const RowCodes& codes, RowSource& data,
                                            std::int64_t row);

}  // namespace logpx
