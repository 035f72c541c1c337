// `--algorithm gradient`: every row of probabilities is the softmax of logits, which an optimiser
// moves up the slopes of log p. These follow from expected counts N   [pc/README 6.4]:
//
//   d log p / d logit_i = N_i - theta_i sum_j N_j
//
// Logits are log theta, so that only theta and the optimiser's state are kept.
#pragma once

#include "libcore/grad/optim.hpp"
#include "libcore/math/tensor.hpp"
#include "libcore/train/options.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx::pc {

// Replaces expected counts by slopes of logits.
void logit_slopes(const ParamSet& layout, std::span<const float> theta, std::span<float> counts);

class Ascent {
 public:
  Ascent(const ParamSet& layout, const TrainOptions& options);

  struct Step {
    double rate = 0;
    std::int64_t rows = 1;  // slopes are divided by this
  };
  // Overwrites the counts.
  void run(const Step& step, std::span<float> counts, std::span<float> theta, Workers& workers);
  void reset();  // as before the first step
  [[nodiscard]] std::vector<TensorRef> state() { return optimizer_.slots(); }

 private:
  const ParamSet& layout_;
  Optimizer optimizer_;
  Selection all_;
  Clipping clipping_;
  Tensor<float> logits_;
};

}  // namespace logpx::pc
