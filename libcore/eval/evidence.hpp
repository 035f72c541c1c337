// Estimates of log p(x) for any model with latents: they see p(z), p(x|z) and q(z|x) through
// ModelLatents and know no family.   [eval/README 2 to 5]
//
//   LatentBlock block{*can.latents, examples, rng};
//   const Scores scores = iwae(block, {.samples = 5000, .chunk = 50});
#pragma once

#include "libcore/model/latents.hpp"

#include <cstdint>

namespace logpx {

class Fields;

// One block of examples, scored by one thread.
struct LatentBlock {
  const ModelLatents& latents;
  const Examples& examples;
  Rng rng;

  [[nodiscard]] std::int64_t rows() const { return examples.rows.count; }
};

enum class Proposal { prior, posterior };

// IWAE_K = log (1/K) sum_k p(x, z_k) / q(z_k|x): a lower bound in expectation that rises with K.
// The chunk does not change any weight's noise. Facts: ess.
struct IwaeOptions {
  std::int64_t samples = 100, chunk = 0;  // 0: 10 at a time
  void describe(Fields& fields);
};
[[nodiscard]] Scores iwae(const LatentBlock& block, const IwaeOptions& options);
// The weights themselves, [samples, rows].
[[nodiscard]] std::vector<double> log_weights(const LatentBlock& block, const IwaeOptions& options);

// Annealed importance sampling along f_t = f_0^(1-b_t) p(x,z)^(b_t), f_0 the prior or q(z|x), with
// one HMC move a step. Step sizes are adapted in a first pass on other noise and then frozen,
// because adapting while annealing breaks exactness. Facts: ess, accept.
struct AisOptions {
  std::int64_t steps = 1000, chains = 16;
  int leapfrog = 10;
  double accept = 0.65;
  Proposal from = Proposal::prior;
  bool freeze = true;
  bool reverse = false;  // also bracket the evidence of examples drawn from the model
  void describe(Fields& fields);
};
// b_t = (sig(4(2t/T - 1)) - sig(-4)) / (sig(4) - sig(-4)), t = 0 .. T.
[[nodiscard]] std::vector<double> annealing_schedule(std::int64_t steps);
[[nodiscard]] Scores ais(const LatentBlock& block, const AisOptions& options);

// Bidirectional Monte Carlo: on x that the model itself drew, whose z is a posterior sample, chains
// that run backwards bound log p(x) from above.
struct Bracket {
  std::vector<double> lower, upper;  // per example
};
[[nodiscard]] Bracket bracket_evidence(const LatentBlock& block, std::span<const float> z,
                                       const AisOptions& options);
// z ~ p(z), x ~ p(x|z) for the examples first .. first + count - 1.
struct JointSamples {
  std::vector<float> z;
  Rows rows;
};
[[nodiscard]] JointSamples draw_joint(const ModelLatents& latents, std::int64_t first,
                                      std::int64_t count, Rng rng);

// log p(x) by quadrature around N(0, I) or around q(z|x): `nodes` per dimension, at most 3
// dimensions. Facts: change, a bound of the error in practice, kinks of the decoder included: twice
// the distance to the farthest of four other rules, with 3/4 and half of the nodes, each in place
// and moved by half the distance of two nodes.
struct QuadratureOptions {
  std::int64_t nodes = 64, chunk = 0;  // 0: 16 points at a time
  Proposal around = Proposal::prior;
};
[[nodiscard]] Scores quadrature(const LatentBlock& block, const QuadratureOptions& options);
// A usage error where there are too many dimensions, or no standard normal prior to lie around.
void check_quadrature(const ModelLatents& latents, const QuadratureOptions& options);

}  // namespace logpx
