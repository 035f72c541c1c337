// Models with latent variables: what the evidence methods of libcore/eval, reconstruction and
// pictures of the latent space ask for. An ability: a family with p(z) p(x|z) that has
// it gets importance sampling, annealing, quadrature and the rest without code of its own, and
// sampling from LatentSampling.
#pragma once

#include "libcore/model/model.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace logpx {

// q(z|x), a diagonal Gaussian per example.
struct Posterior {
  std::int64_t count = 0, dims = 0;
  std::vector<float> mean = {}, log_var = {};  // [count, dims]
};

// log q(z|x) of one row; also its gradient by z, if `gradient` is not empty.
[[nodiscard]] double log_density(const Posterior& q, std::size_t row, std::span<const float> z,
                                 std::span<double> gradient = {});

// Draws from it: z = mean + e^(log_var/2) eps, with log q(z|x) taken from eps.
// In every method the eps of draw l for dataset row i are the normals l*dims + d of stream
// `evaluation`, sub i: K draws are the first K of any more, and models share their noise.
struct PosteriorDraws {
  std::vector<float> z;       // [copies, count, dims]
  std::vector<double> log_q;  // [copies, count]
};
struct DrawPlace {
  std::int64_t first_example = 0;
  std::int64_t first_draw = 0;
  std::int64_t copies = 1;
};
[[nodiscard]] PosteriorDraws draw_posterior(const Posterior& q, const DrawPlace& place, Rng rng);

// log p(x_i, z) for the rows of one block and several z per row. Used by one thread at a time;
// keeps its plan and memory between calls.
class LatentJoint {
 public:
  virtual ~LatentJoint() = default;
  // The gradient of prior_weight log p(z) + likelihood_weight log p(x|z), [copies, rows, dims].
  struct Gradient {
    double prior_weight = 1, likelihood_weight = 1;
    std::span<float> values;  // empty: not wanted
  };
  struct Values {
    std::span<double> log_prior, log_likelihood;  // [copies, rows], nats
  };
  // z [copies, rows, dims], copies as joint() was asked for.
  virtual void evaluate(std::span<const float> z, const Values& values,
                        const Gradient& gradient) = 0;
};

class ModelLatents {
 public:
  virtual ~ModelLatents() = default;
  [[nodiscard]] virtual std::int64_t dims() const = 0;
  // A model trained without an encoder has no q(z|x); asking for it is a usage error then.
  [[nodiscard]] virtual bool has_posterior() const { return true; }
  [[nodiscard]] virtual Posterior encode(const Examples& examples) const = 0;
  // x as the model sees it, perhaps binarised: [n, dims of x], in order and units of
  // info().samples. It is as stored, unless a family says otherwise.
  [[nodiscard]] virtual std::vector<float> observed(const Examples& examples) const;
  [[nodiscard]] virtual std::unique_ptr<LatentJoint> joint(const Examples& examples,
                                                           std::int64_t copies) const = 0;

  // p(z) = N(0, I): what quadrature by Gauss-Hermite nodes needs.
  [[nodiscard]] virtual bool standard_normal_prior() const { return true; }
  // z [n, dims] ~ p(z): the draws numbered first, first + 1 ...
  virtual void draw_prior(std::span<float> z, std::int64_t first, Rng rng) const = 0;

  // The mean of p(x|z) for z [n, dims]: [n, dims of x], in order and units of info().samples.
  [[nodiscard]] virtual std::vector<float> mean(std::span<const float> z) const = 0;
  // The same for rows whose x is known, where the mean of a dimension depends on those before it.
  [[nodiscard]] virtual std::vector<float> reconstruct(std::span<const float> z,
                                                       const Examples& examples) const {
    return static_cast<void>(examples), mean(z);
  }
  // x ~ p(x|z), for the samples numbered first, first + 1 ...
  virtual void sample(std::span<const float> z, Rows& out, std::int64_t first, Rng rng) const = 0;
};

}  // namespace logpx
