// The evidence lower bound of rows under given weights: the pass that scoring and the evaluations
// of training share.
#pragma once

#include "libcore/families/vae/model.hpp"
#include "libcore/grad/executor.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace logpx {
class Ranks;
class Workers;
}  // namespace logpx

namespace logpx::vae {

struct EvaluationMachine {
  Workers& workers;
  Ranks& ranks;
  Numerics numerics;
};
struct RowBlock {
  std::int64_t first = 0, count = 0;
};
struct RowTable {
  std::int64_t rows = 0, columns = 0;
};
// Sums over rows, cut into blocks that ranks and threads share: add(block, sums [columns]).
[[nodiscard]] std::vector<double> sum_over_rows(
    const EvaluationMachine& machine, RowTable table,
    const std::function<void(RowBlock, std::span<double> sums)>& add);

class BoundPass {
 public:
  struct Size {
    std::int64_t rows = 0, copies = 1;
  };
  BoundPass(const VaeModel& model, Size size, const Numerics& numerics);

  // Where the caller puts the rows, [rows,D].
  [[nodiscard]] std::span<float> x() { return x_.span(); }
  // Noise of row i, draw c: elements (c J + j) of the substream of the row's number in the dataset.
  struct Numbers {
    std::int64_t row = 0, draw = 0;  // of the first
  };
  void run(std::span<const float> theta, const Rng& rng, Numbers numbers);

  [[nodiscard]] double recon(std::int64_t draw, std::int64_t row) const;
  [[nodiscard]] double kl(std::int64_t row) const;
  [[nodiscard]] std::span<const float> mean() const { return run_->output("mean").span(); }
  [[nodiscard]] std::span<const float> log_var() const { return run_->output("log_var").span(); }

 private:
  std::int64_t rows_, copies_;
  Graph graph_;
  std::unique_ptr<Executor<float>> run_;
  Tensor<float> x_, noise_;
  Tensor<std::int32_t> index_;
};

// x as the indices that a categorical likelihood takes, repeated for every copy.
void fill_index(std::span<const float> x, std::span<std::int32_t> index);

// Standard normals [copies, count, dims]: copy c of row i has the elements (first_copy + c) dims +
// j of the row's substream.
struct NoiseBlock {
  std::int64_t copies = 1, count = 0, first_copy = 0;
};
void fill_row_noise(std::span<float> noise, const NoiseBlock& block,
                    const std::function<Substream(std::int64_t row)>& of_row);

}  // namespace logpx::vae
