// Optimisers over blocks of the ParamSet layout. g is the gradient of the minimised loss:
//
//   sgd      v = mom v + g;                  theta -= lr v     (nesterov: lr (g + mom v))
//   adagrad  s += g^2;                       theta -= lr g / (sqrt(s) + eps)
//   adam     m = b1 m + (1-b1) g;  v = b2 v + (1-b2) g^2
//            theta -= lr mh / (sqrt(vh) + eps),  mh = m / (1-b1^t),  vh = v / (1-b2^t)
//   adamw    theta -= lr wd theta first, then adam with the undecayed gradient
//
// Clipping, the step and the running average are one pass over memory, in parallel over parameter
// ranges; every element is computed alone, so that the ranges never show. [train/README 6]
#pragma once

#include "libcore/base/parallel.hpp"
#include "libcore/grad/block_kernels.hpp"
#include "libcore/grad/params.hpp"
#include "libcore/math/tensor_ref.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace logpx {

// The running average of the parameters: e += (1 - d) (theta - e) after each step, started at the
// initial theta. The optimiser does it in the pass that moves theta.   [train/README 6.5]
struct Averaging {
  double decay = 0;     // 0: no average
  bool warmup = false;  // d_t = min(d, (1 + t) / (10 + t)), t = 0 at the first step

  [[nodiscard]] bool on() const { return decay > 0; }
  [[nodiscard]] double decay_at(std::int64_t t) const {
    if (!warmup) return decay;
    const auto n = static_cast<double>(t);
    return std::min(decay, (1 + n) / (10 + n));
  }
};

class Fields;

enum class OptimizerRule { sgd, adagrad, adam, adamw };

struct OptimizerOptions {
  OptimizerRule rule = OptimizerRule::adam;
  double momentum = 0;  // sgd
  bool nesterov = false;
  double beta1 = 0.9, beta2 = 0.999;  // adam, adamw
  double eps = 1e-8;
  double initial_accumulator = 0;  // adagrad
  double weight_decay = 0;         // adamw
  double adam_l2 = 0;              // adam: added to the gradient
  // Tensors without decay: `bias` means those whose last name is b or bias; any other word those
  // with it as a whole word in a component of their path (norm: "norm1", not "normaliser").
  std::vector<std::string> decay_exclude = {"bias", "norm"};

  void describe(Fields& fields);
  void validate() const;            // a usage error for an option that the rule would ignore
  [[nodiscard]] int slots() const;  // blocks that it keeps
};

// Tensors whose path begins with the whole components of `prefix`; the longest prefix decides.
struct ParamGroup {
  std::string prefix;
  double rate = 1;   // factor on the learning rate
  double decay = 1;  // factor on decay and adam-l2
  // A prior log N(theta; 0, s^2) on N rows is l2 = 1 / (N s^2): l2 theta is added to the gradient
  // of every tensor of the group, biases too, after clipping, whatever the rule.
  double l2 = 0;
  bool frozen = false;
  bool clipped = true;  // its gradient counts in the global norm, and is scaled by it
};

// Part of a tensor that one thread works on.
struct ParamRange {
  int tensor = 0;
  std::int64_t begin = 0, end = 0;  // in the block
};

// What one update moves.
class Selection {
 public:
  [[nodiscard]] std::span<const ParamRange> ranges() const { return ranges_; }
  [[nodiscard]] std::span<const int> tensors() const { return tensors_; }

 private:
  friend class Optimizer;
  std::vector<ParamRange> ranges_;
  std::vector<int> tensors_;
  mutable std::vector<double> squares_;  // per range
};

struct Clipping {
  enum class By { nothing, norm, value };
  By by = By::nothing;
  double limit = 0;

  // min(1, limit / norm), or 1.
  [[nodiscard]] double scale(double norm) const;
};

// All blocks have the layout of the ParamSet; `average` may be empty.
struct UpdateBlocks {
  std::span<float> theta;
  std::span<const float> gradient;
  std::span<float> average = {};
};
struct UpdateRates {
  double rate = 0;           // learning rate
  double clip_scale = 1;     // on the gradient of clipped tensors
  double clip_value = 0;     // > 0: clamp to +-clip_value
  double average_decay = 0;  // d of the running average
};

class Optimizer {
 public:
  Optimizer(const ParamSet& params, OptimizerOptions options, std::vector<ParamGroup> groups = {});

  // Everything that is not frozen, or only what lies under one of these paths.
  [[nodiscard]] Selection select(const std::vector<std::string>& prefixes = {}) const;
  [[nodiscard]] Selection select_tensors(
      std::span<const int> tensors) const;  // but those that are frozen
  // The global norm, of clipped tensors if there are any; in double, in the order of parameters.
  [[nodiscard]] double norm(const Selection& selection, std::span<const float> gradient,
                            Workers& workers) const;
  void step(const Selection& selection, const UpdateBlocks& blocks, const UpdateRates& rates,
            Workers& workers);
  // As before the first step, for one tensor.
  void reset(int tensor);

  // Blocks and the products b1^t, b2^t of each tensor, for checkpoints.
  [[nodiscard]] std::vector<TensorRef> slots();

 private:
  struct Coefficients {                        // of one tensor in one step
    float rate, decay, l2, scale, correction;  // correction: 1 / (1 - b2^t)
  };
  [[nodiscard]] Coefficients coefficients(int tensor, const UpdateRates& rates) const;
  void move(const ParamRange& range, const UpdateBlocks& blocks, const UpdateRates& rates);

  const BlockKernels& kernels_ = active_block_kernels();
  const ParamSet& params_;
  OptimizerOptions options_;
  std::vector<ParamGroup> tensor_groups_;  // per tensor
  std::vector<bool> decays_;               // per tensor
  Tensor<float> first_, second_;           // v or m; s or v
  Tensor<double> products_;                // [tensors, 2]
};

}  // namespace logpx
