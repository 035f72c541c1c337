// A prior that no longer changes: samplers of all components, and its normal scores.
// [kaem/README 4.3, 4.4]
//
//   const PriorComponents components(values, {.method = Inversion::exact}, workers);
//   const double z = components.inverse({q, p}).quantile(u);
#pragma once

#include "libcore/base/parallel.hpp"
#include "libcore/energy/energy_cells.hpp"
#include "libcore/energy/energy_density.hpp"
#include "libcore/families/kaem/prior/prior_values.hpp"
#include "libcore/math/cell_quantiles.hpp"
#include "libcore/math/normal_scores.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx::kaem {

// The prior as an encoder and a decoder sample it: inverses of tabulated distribution functions,
// the same bits on every machine.   [kaem/README 11.1]
class CodedPrior {
 public:
  CodedPrior(const PriorValues& values, Workers& workers);
  // s [n,Q] from uniforms u [n,score_dims]: s_q = sum_p z_{q,p}; for a mixture z_q.
  void sums(std::span<const double> u, std::span<float> s) const;
  [[nodiscard]] std::int64_t score_dims() const { return form_.score_dims(); }
  [[nodiscard]] std::int64_t latents() const { return form_.n_q; }

 private:
  [[nodiscard]] double sum_of(std::size_t q, std::span<const double> u) const;
  PriorForm form_;
  std::vector<CellQuantiles> features_;  // a row for each curve; one of a mixture
};

// log G of one component, and log pi0 alone.
[[nodiscard]] IntervalDensity component_density(const PriorValues& values, Component c);
[[nodiscard]] IntervalDensity component_base(const PriorValues& values, Component c);
// log p_q = log sum_p alpha_{q,p} p_{q,p}, from log Z [F,C].
[[nodiscard]] IntervalDensity mixture_density(const PriorValues& values, std::int64_t q,
                                              std::span<const double> log_z);

class PriorComponents {
 public:
  PriorComponents(const PriorValues& values, const InversionOptions& options, Workers& workers);
  [[nodiscard]] const PriorForm& form() const { return form_; }
  [[nodiscard]] const InverseCdf& inverse(Component c) const {
    return inverses_[form_.number_of(c)];
  }
  [[nodiscard]] double log_z(Component c) const { return inverse(c).log_total(); }
  // alpha_{q,.} of a mixture
  [[nodiscard]] std::span<const double> weights(std::int64_t q) const {
    return std::span(weights_).subspan(at(q * form_.n_p), at(form_.n_p));
  }

 private:
  PriorForm form_;
  std::vector<InverseCdf> inverses_;  // [Q,P]
  std::vector<double> weights_;       // [Q,P]
};

// An inverse for every number of z in the order of files: Q P of them, or Q for a mixture.
[[nodiscard]] std::vector<InverseCdf> latent_inverses(const PriorValues& values,
                                                      const InversionOptions& options,
                                                      Workers& workers);

// v [n,form.score_dims()] to z [n,Q,P]; for a mixture z [n,Q] by F_q = sum_p alpha_{q,p} F_{q,p}.
[[nodiscard]] NormalScores normal_scores(const PriorValues& values, Workers& workers);

}  // namespace logpx::kaem
