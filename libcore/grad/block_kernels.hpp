// Loops over whole blocks of parameters, compiled once per instruction set; every variant gives the
// same bits. Like every header of per_isa sources it uses no standard header: the linker could keep
// an inline function of one variant for all.
#pragma once

namespace logpx {

// One range of the blocks and what a rule of optim.hpp does with it. Each starts with
// g = clamp(scale gradient, +-limit) + l2 theta and theta -= decay theta, and ends with
// average += average_rate (theta - average), if there is one.
struct Sweep {
  float *theta, *average, *first, *second;
  const float* gradient;
  long count;
  float scale, limit, l2, decay, average_rate;
  float rate, eps, momentum;
  float towards1, towards2, correction;  // Adam: 1 - b1, 1 - b2, 1 / (1 - b2^t)
};

struct BlockKernels {
  void (*sgd)(const Sweep&);
  void (*momentum)(const Sweep&);
  void (*nesterov)(const Sweep&);
  void (*adagrad)(const Sweep&);
  void (*adam)(const Sweep&);
  double (*square_sum)(const float* x, long n);
  void (*add)(float* to, const float* from, long n);
};

namespace baseline {
extern const BlockKernels block_kernels;
}
namespace v3 {
extern const BlockKernels block_kernels;
}
namespace v4 {
extern const BlockKernels block_kernels;
}

enum class Isa;
[[nodiscard]] const BlockKernels& block_kernels_of(Isa isa);
[[nodiscard]] const BlockKernels& active_block_kernels();

}  // namespace logpx
