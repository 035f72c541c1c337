// Small priors of KAEM of every kind.
#pragma once

#include "tests/support/energy_values.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace logpx::kaem {

struct Kind {
  PriorKind prior;
  CurveForm curves;
  Activation activation;
  BaseMeasure base;
};

inline PriorValues small_prior(const Kind& kind) {
  PriorForm form(kind.prior, 2, 3);
  form.coupling = Coupling::independent;
  form.energies.curves = kind.curves;
  form.energies.activation = kind.activation;
  form.energies.base = kind.base;
  form.energies.low = kind.base == BaseMeasure::lognormal ? 0 : -1.5;
  if (kind.curves.basis == CurveBasis::chebyshev) form.energies.start_tau = 1.2;
  PriorValues values(form);
  randomise(values, 0.5);
  if (kind.curves.basis == CurveBasis::chebyshev) values.energies.rho = 0.2;
  return values;
}

// Every basis, base measure and kind of prior, in turn.
template <typename Check>
void for_each_kind(Check check) {
  const CurveForm rbf{.basis = CurveBasis::rbf, .intervals = 5};
  const std::vector<Kind> kinds = {
      {PriorKind::univariate, rbf, Activation::relu, BaseMeasure::gaussian},
      {PriorKind::mixture, rbf, Activation::silu, BaseMeasure::learnable_gaussian},
      {PriorKind::univariate, rbf, Activation::tanh, BaseMeasure::learnable_gaussian},
      {PriorKind::mixture, rbf, Activation::none, BaseMeasure::none},
      {PriorKind::univariate,
       {.basis = CurveBasis::bspline, .intervals = 4, .degree = 3},
       Activation::gelu_erf,
       BaseMeasure::uniform},
      {PriorKind::mixture,
       {.basis = CurveBasis::rswaf, .intervals = 4},
       Activation::leaky_relu,
       BaseMeasure::gaussian},
      {PriorKind::univariate,
       {.basis = CurveBasis::fourier, .intervals = 2},
       Activation::elu,
       BaseMeasure::none},
      {PriorKind::mixture,
       {.basis = CurveBasis::chebyshev, .degree = 4},
       Activation::silu,
       BaseMeasure::lognormal}};
  for (std::size_t number = 0; number < kinds.size(); ++number) {
    CAPTURE(number);
    PriorValues values = small_prior(kinds[number]);
    check(values);
  }
}

}  // namespace logpx::kaem
