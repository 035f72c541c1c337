// The numbers of a prior: as parameters and constants of a model, as doubles to compute with, and
// gradients by them.   [spec/kaem.md 3.1, 12.2]
//
//   const PriorTensors tensors(model / "prior", form);
//   PriorConstants constants(form);
//   PriorValues values(form);
//   values.take(tensors, params, constants);                 // after every update
//   gradient.add_to(tensors, params, -1, block);             // d loss = - d objective
#pragma once

#include "libcore/base/index.hpp"
#include "libcore/families/kaem/prior_form.hpp"
#include "libcore/math/tensor.hpp"
#include "libcore/nn/site.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace logpx::kaem {

// Running numbers in a ParamSet: coef [F,C,K], w_base and w_spline [F,C], rho, base_mean and
// base_log_sd [P], alpha_logits [Q,P].
struct PriorTensors {
  PriorTensors(const Site& site, const PriorForm& form);
  int coef;
  std::optional<int> w_base, w_spline, rho, base_mean, base_log_sd, alpha_logits;
};

// removed: a component of a mixture with weight 0. flat: its energy is 0 everywhere.
enum class CurveMask : std::uint8_t { flat = 0, live = 1, removed = 2 };

// Not trained by gradients. At the start an even grid on the form's domain, all curves live.
struct PriorConstants {
  explicit PriorConstants(const PriorForm& form);
  Tensor<double> grid;        // [F,grid_size]; absent where a basis has none
  Tensor<double> domain;      // [F,2]
  Tensor<std::uint8_t> mask;  // [F,C], CurveMask
  Tensor<double> log_z;       // [Q,P], of whoever fills it
};

// The scales of initial curves: noise of the spline part, mu + sigma_b of w_base, w_spline.
struct CurveStart {
  double noise = 0.1, mu = 1, sigma_b = 1, sigma_s = 1;
};
// Instead of what the initialisers of PriorTensors fill in.   [3.1]
void start_prior(const PriorForm& form, const CurveStart& start, const PriorTensors& tensors,
                 Rng rng, ParamSet& params);

struct PriorValues {
  explicit PriorValues(const PriorForm& form);  // zeros; an even grid on the form's domain
  void take(const PriorTensors& tensors, const ParamSet& params, const PriorConstants& constants);

  PriorForm form;
  std::int64_t functions;                      // K
  std::vector<double> coef;                    // [F,C,K]
  std::vector<double> w_base, w_spline;        // [F,C]
  double rho = 0;                              // log tau
  std::vector<double> base_mean, base_log_sd;  // [P]
  std::vector<double> alpha_logits;            // [Q,P]
  std::vector<double> grid, domain;            // [F,grid_size], [F,2]
  std::vector<CurveMask> mask;                 // [F,C]

  [[nodiscard]] double low(std::int64_t feature) const { return domain[at(2 * feature)]; }
  [[nodiscard]] double high(std::int64_t feature) const { return domain[at(2 * feature) + 1]; }
  // alpha_{q,.}, 0 where a component is removed: [P]
  void weights(std::int64_t q, std::span<double> alpha) const;
  // `count` curves of one feature as a prior of their own.
  [[nodiscard]] PriorValues part(std::int64_t feature, std::int64_t first,
                                 std::int64_t count) const;
};

// d objective / d theta, added to by one feature at a time: several threads, a feature each.
struct PriorGradient {
  explicit PriorGradient(const PriorForm& form);
  void clear();
  // block += scale * gradient, in the layout of `params`; features in their order.
  void add_to(const PriorTensors& tensors, const ParamSet& params, double scale,
              std::span<float> block) const;

  std::int64_t features, curves;
  std::vector<double> coef;                    // [F,C,K]
  std::vector<double> w_base, w_spline;        // [F,C]
  std::vector<double> rho;                     // [F]: its share
  std::vector<double> base_mean, base_log_sd;  // [F,C]: shares of p
  std::vector<double> alpha_logits;            // [Q,P]
};

}  // namespace logpx::kaem
