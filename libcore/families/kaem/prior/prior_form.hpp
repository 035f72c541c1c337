// The form of a prior over latents, without its numbers.   [kaem/README 2]
//
//   univariate  z_{q,p} for q < Q, p < P: feature p, curve q;   s_q = sum_p z_{q,p}
//   mixture     z_q ~ sum_p alpha_{q,p} p_{q,p}: feature q, curve p
#pragma once

#include "libcore/energy/energy_values.hpp"
#include "libcore/nn/curve_init.hpp"

#include <cstdint>
#include <string>

namespace logpx::kaem {

enum class PriorKind { univariate, mixture };
enum class Coupling { shared, independent };  // of a univariate prior
enum class MixtureWeights { fixed, learned };

struct Component {
  std::int64_t q = 0, p = 0;
};
[[nodiscard]] std::string component_name(Component c);  // "component (3,7)"

struct PriorForm {
  PriorForm(PriorKind kind, std::int64_t n_p, std::int64_t n_q);

  PriorKind kind;
  std::int64_t n_p, n_q;
  Coupling coupling = Coupling::shared;
  MixtureWeights weights = MixtureWeights::fixed;
  CurveScales scales = {};  // of the curves at the start
  EnergyForm energies;      // its features and curves are set; the rest is to be chosen

  [[nodiscard]] bool is_mixture() const { return kind == PriorKind::mixture; }
  [[nodiscard]] bool is_shared() const { return !is_mixture() && coupling == Coupling::shared; }
  [[nodiscard]] std::int64_t features() const { return energies.features; }
  // Numbers in z: Q P, or Q of a mixture.
  [[nodiscard]] std::int64_t z_dims() const { return is_mixture() ? n_q : n_q * n_p; }
  // Normal scores of a sample: P where all q share one, else z_dims().   [kaem/README 4.4]
  [[nodiscard]] std::int64_t score_dims() const { return is_shared() ? n_p : z_dims(); }
  // Uniforms of a sample: score_dims(), or two for each q of a mixture.   [kaem/README 4.2]
  [[nodiscard]] std::int64_t uniforms() const { return is_mixture() ? 2 * n_q : score_dims(); }

  [[nodiscard]] Component component(std::int64_t feature, std::int64_t curve) const {
    return is_mixture() ? Component{feature, curve} : Component{curve, feature};
  }
  [[nodiscard]] std::int64_t feature_of(Component c) const { return is_mixture() ? c.q : c.p; }
  [[nodiscard]] std::int64_t curve_of(Component c) const { return is_mixture() ? c.p : c.q; }
  [[nodiscard]] std::size_t number_of(Component c) const {
    return at(c.q * n_p + c.p);
  }  // of [Q,P]
};

}  // namespace logpx::kaem
