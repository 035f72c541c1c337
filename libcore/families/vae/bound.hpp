// The evidence lower bound of rows under given weights: the pass that scoring and the evaluations
// of training share.
#pragma once

#include "libcore/families/vae/model.hpp"
#include "libcore/grad/executor_pool.hpp"

#include <cstdint>
#include <span>

namespace logpx::vae {

// Graphs of a pass, by rows and draws; the model must outlive them.
[[nodiscard]] ExecutorPool bound_passes(const VaeModel& model, const Numerics& numerics);

class BoundPass {
 public:
  struct Size {
    std::int64_t rows = 0, copies = 1;
  };
  BoundPass(const VaeModel& model, ExecutorPool& passes, Size size);

  // Where the caller puts the rows, [rows,D].
  [[nodiscard]] std::span<float> x() { return loan_.inputs().values("x"); }
  // Noise of row i, draw c: elements (c J + j) of the substream of the row's number in the dataset.
  struct Numbers {
    std::int64_t row = 0, draw = 0;  // of the first
  };
  void run(std::span<const float> theta, const Rng& rng, Numbers numbers);

  [[nodiscard]] double recon(std::int64_t draw, std::int64_t row) const;
  [[nodiscard]] double kl(std::int64_t row) const;
  [[nodiscard]] std::span<const float> mean() const { return output("mean"); }
  [[nodiscard]] std::span<const float> log_var() const { return output("log_var"); }

 private:
  [[nodiscard]] std::span<const float> output(const char* name) const {
    return loan_.executor().output(name).span();
  }
  std::int64_t rows_, copies_;
  bool takes_index_;
  ExecutorPool::Loan loan_;
};

// x as the indices that a categorical likelihood takes, repeated for every copy.
void fill_index(std::span<const float> x, std::span<std::int32_t> index);

}  // namespace logpx::vae
