// A model with latents z ~ N(0, I), or a mixture, and an encoder: the nodes that graphs of its
// bound, its encoder and its codes are built from.
//
//   q(z|x) = N(mean(x), diag e^log_var(x)),   log p(x) >= E_q log p(x|z) - KL(q(z|x) || p(z))
#pragma once

#include "libcore/grad/graph_inputs.hpp"
#include "libcore/math/gaussian_mixture.hpp"
#include "libcore/model/data_reading.hpp"
#include "libcore/model/likelihood.hpp"

#include <cstdint>
#include <memory>
#include <span>

namespace logpx {

// Limits that the log-variance of q(z|x) approaches smoothly: a network output of -14 gives -14 +
// ln 2.   [vae/README 4.3]
inline constexpr double least_log_var = -14, largest_log_var = 10;
[[nodiscard]] Var limited_log_var(Var log_var);

// q(z|x)
struct EncodedGaussian {
  Var mean, log_var;  // [M,J]; log_var may be [J]
  Var free_log_var;   // before its limits
};

// Networks see levels scaled to [-1, 1], and other x unchanged: the scale, and the scaled x.
[[nodiscard]] double network_scale(const Likelihood& likelihood);
[[nodiscard]] Var network_values(const Likelihood& likelihood, Var x);

class EncodedModel {
 public:
  virtual ~EncodedModel() = default;
  [[nodiscard]] virtual std::int64_t dims() const = 0;    // of x
  [[nodiscard]] virtual std::int64_t latent() const = 0;  // of z
  [[nodiscard]] virtual const Likelihood& likelihood() const = 0;
  [[nodiscard]] virtual const RowReader& reader() const = 0;
  [[nodiscard]] virtual const ParamSet& param_set() const = 0;
  [[nodiscard]] virtual Bound kind() const = 0;  // of its log p(x)

  // p(z) under these parameters; null: N(0, I).
  [[nodiscard]] virtual std::unique_ptr<const GaussianMixture> prior(
      std::span<const float> theta) const {
    return static_cast<void>(theta), nullptr;
  }

  // Nodes of a graph. Inputs of the graph: "x" [M,D], and "index" [L,M,D] for categorical data.
  [[nodiscard]] Likelihood::Target target(Graph& graph, std::int64_t rows,
                                          std::int64_t copies) const;
  [[nodiscard]] virtual EncodedGaussian encode(Var x) const = 0;  // x [M,D]
  // z [L,M,J]: [L,M]
  [[nodiscard]] virtual Var log_likelihood(const Likelihood::Target& target, Var z) const = 0;
  // Fills the inputs of such graphs besides their target, which are constant or follow from x.
  virtual void bind(GraphInputs& inputs) const { static_cast<void>(inputs); }
};

}  // namespace logpx
