// The weights of all samples for one row: w = softmax_s log p(x|z_s), drawn again where too few of
// them count.   [kaem/README 6.1, 6.2]
#pragma once

#include "libcore/families/kaem/training/fit_options.hpp"
#include "libcore/math/resample.hpp"
#include "libcore/train/phase.hpp"

#include <span>
#include <vector>

namespace logpx::kaem {

class RowWeights {
 public:
  explicit RowWeights(const FitOptions& options) : options_(options) {}

  struct Memory {  // of one thread
    std::vector<double> uniforms;
    std::vector<std::int64_t> drawn;
    ResampleMemory resampling;
  };
  struct Outcome {
    double ess = 0;  // of the weights before they are drawn again
    bool resampled = false;
  };
  // From log p(x|z_s) of row i of a shard to w, whose sum is 1.
  Outcome weigh(const Shard& shard, std::size_t i, std::span<const double> log_p,
                std::span<double> w, Memory& memory) const;

 private:
  void draw_again(const Shard& shard, std::size_t i, std::span<double> w, Memory& memory) const;
  const FitOptions& options_;
};

}  // namespace logpx::kaem
