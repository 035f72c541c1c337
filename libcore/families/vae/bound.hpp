// The evidence lower bound of rows under given weights: the pass that scoring and the evaluations
// of training share.
#pragma once

#include "libcore/families/vae/model.hpp"
#include "libcore/grad/executor.hpp"

#include <cstdint>
#include <memory>
#include <span>

namespace logpx::vae {

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

}  // namespace logpx::vae
