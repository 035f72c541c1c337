// Models whose prior is a table of densities on intervals: what tools need to explain a prior,
// prune it and sample from it. An ability.   [eval/README 7, 8]
//
//   const PriorComponent component = can.prior->component(0, 1);
//   const PanelCdf density(density_of(component));
//   const double mean_energy = density.expectation(component.energy);
#pragma once

#include "libcore/base/rng.hpp"
#include "libcore/math/adaptive_quadrature.hpp"
#include "libcore/math/interval_density.hpp"
#include "libcore/math/symbolic.hpp"
#include "libcore/model/model.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace logpx {

// z is [Q, P], each entry with its own density; in a mixture z is [Q], and the P densities of a
// latent are the components from which it is drawn.
struct PriorShape {
  std::int64_t latents = 0, parts = 0;  // Q, P
  bool is_mixture = false;
  bool is_shared =
      false;  // one uniform for each p gives z_qp for every q; else all are independent

  // Numbers of one sample.
  [[nodiscard]] std::int64_t values() const { return is_mixture ? latents : latents * parts; }
};

// pi0: 1 everywhere, 1 on [0, 1], N(mean, sd^2), or the exponential of a draw from it.
struct BaseDensity {
  enum class Kind { none, uniform, gaussian, lognormal };
  Kind kind = Kind::none;
  double mean = 0, sd = 1;

  // log pi0(z); -inf where it has no mass.
  void log_density(std::span<const double> z, std::span<double> values) const;
};

// p(z) = exp(f(z)) pi0(z) / Z on [breaks.front(), breaks.back()], and 0 outside. It owns all that
// it computes with, and may outlive the model.
struct PriorComponent {
  std::int64_t q = 0, p = 0;
  double weight = 1;                // alpha in the mixture of its latent; 0: removed
  std::vector<double> breaks = {};  // rising: both ends, and wherever f or pi0 has a kink or a jump
  RealFunction energy = {};         // f
  BaseDensity base = {};            // pi0
};
// e^f pi0, for PanelCdf and InverseCdf.
[[nodiscard]] IntervalDensity density_of(PriorComponent component);

// The component that a uniform number chooses: min{j : sum_{p<=j} alpha_p >= u}, never one of
// weight 0.   [KAEM eq. 14]
[[nodiscard]] std::int64_t choose_component(std::span<const double> alpha, double u);

// Univariate functions of one layer behind the prior: the mean of |phi| over prior samples.
struct LayerEdges {
  std::string layer;  // "generator/layer0"
  std::int64_t inputs = 0, outputs = 0;
  std::vector<double> scores;  // [inputs, outputs]
};

// Changes to a model. Everything that is not named stays as it is, bit for bit.
struct PriorChanges {
  // f of this component becomes the formula: {} is f = 0.
  struct Energy {
    std::int64_t q = 0, p = 0;
    Formula formula = {};
  };
  // Removes a component of a mixture; the weights of the others grow by one common factor. At least
  // one must stay.
  struct Removal {
    std::int64_t q = 0, p = 0;
  };
  // The functions of a layer that stay, [inputs, outputs]; the others become 0.
  struct Edges {
    std::string layer;
    std::vector<bool> kept;
  };
  std::vector<Energy> energies;
  std::vector<Removal> removals;
  std::vector<Edges> edges;
};

class ModelPrior {
 public:
  virtual ~ModelPrior() = default;
  [[nodiscard]] virtual PriorShape shape() const = 0;
  [[nodiscard]] virtual PriorComponent component(std::int64_t q, std::int64_t p) const = 0;

  // z [n, Q, P], of a mixture [n, Q]: the samples numbered first, first + 1 ...
  [[nodiscard]] virtual std::vector<double> draw(std::int64_t first, std::int64_t count,
                                                 Rng rng) const = 0;
  // The mean of p(x|z) for z [n, Q, P], of a mixture [n, Q]: [n, dims of x], in order and units of
  // info().samples. With `noise`, training's noise is added before the last activation, as for the
  // samples numbered noise->first, noise->first + 1 ... Models do not store how large it was.
  struct Noise {
    std::int64_t first = 0;
    Rng rng;
    double sd = 0.1;
  };
  [[nodiscard]] virtual std::vector<float> decode(std::span<const double> z,
                                                  const std::optional<Noise>& noise = {}) const = 0;

  // For every layer that pruning can thin out, from these prior samples z [n, Q, P] or [n, Q]. Most
  // decoders have no such layer.
  [[nodiscard]] virtual std::vector<LayerEdges> edge_scores(std::span<const double> z) const {
    return static_cast<void>(z), std::vector<LayerEdges>();
  }
  // A new model with these changes; what was removed is not stored.
  [[nodiscard]] virtual std::unique_ptr<Model> changed(const PriorChanges& changes) const = 0;
};

}  // namespace logpx
