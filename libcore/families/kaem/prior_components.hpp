// A prior whose numbers stay: exact normalisers, exact and other samplers, kept for all
// components, and the normal scores of every prior.   [spec/kaem.md 3.2, 5.3, 5.6]
//
//   const PriorComponents components(values, {.method = Inversion::exact}, workers);
//   const double z = components.inverse({q, p}).quantile(u);
#pragma once

#include "libcore/base/parallel.hpp"
#include "libcore/families/kaem/feature_curves.hpp"
#include "libcore/math/inverse_cdf.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace logpx::kaem {

// log G of one component, with copies of its numbers.
[[nodiscard]] IntervalDensity component_density(const PriorValues& values, Component c);
// log pi0 of it, for reports.
[[nodiscard]] IntervalDensity component_base(const PriorValues& values, Component c);
// log p_q = log sum_p alpha_{q,p} p_{q,p}, from log Z [Q,P].
[[nodiscard]] IntervalDensity mixture_density(const PriorValues& values, std::int64_t q,
                                              std::span<const double> log_z);

// log Z of every component [Q,P] by Gauss rules on pieces as fine as the grid: in milliseconds, and
// for the usual curves to ten digits. Errors name the component.
[[nodiscard]] std::vector<double> log_normalisers(const PriorValues& values, Workers& workers);

class PriorComponents {
 public:
  PriorComponents(const PriorValues& values, const InversionOptions& options, Workers& workers);
  [[nodiscard]] const PriorForm& form() const { return form_; }
  [[nodiscard]] const InverseCdf& inverse(Component c) const {
    return *inverses_[at(c.q * form_.n_p + c.p)];
  }
  [[nodiscard]] double log_z(Component c) const { return inverse(c).log_total(); }
  // alpha_{q,.} of a mixture
  [[nodiscard]] std::span<const double> weights(std::int64_t q) const {
    return std::span(weights_).subspan(at(q * form_.n_p), at(form_.n_p));
  }

 private:
  PriorForm form_;
  std::vector<std::optional<InverseCdf>> inverses_;  // [Q,P]
  std::vector<double> weights_;                      // [Q,P]
};

// v ~ N(0, I) of score_dims() numbers: z = F^-1(Phi(v)), for mixtures of F_q = sum_p alpha F_{q,p}.
class NormalScores {
 public:
  NormalScores(const PriorValues& values, Workers& workers);
  [[nodiscard]] std::int64_t dims() const { return form_.score_dims(); }
  // v [n,dims] to z and, where they are wanted, slopes dz/dv: [n,Q,P], of a mixture [n,Q].
  void to_z(std::span<const float> v, std::span<double> z, std::span<double> slopes) const;
  // d/dv from d/dz and the slopes: [n,dims].
  void pull_back(std::span<const double> dz, std::span<const double> slopes,
                 std::span<float> dv) const;
  // Their inverse where there is one, from z [n,z_dims()]: v [n,dims]. Of shared priors q = 0 tells.
  void from_z(std::span<const double> z, std::span<float> v) const;

 private:
  PriorForm form_;
  std::vector<std::optional<InverseCdf>> inverses_;  // [Q,P], of a mixture [Q]
};

}  // namespace logpx::kaem
