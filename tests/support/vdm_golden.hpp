// What the tests of tests/golden/vdm.json share: numbers of a field, and schedules made of one.
#pragma once

#include "libcore/families/vdm/schedule/noise_schedule.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/golden_layer.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

namespace logpx::vdm_golden {

// |computed - expected| <= tolerance |expected|, or 1e-12.
inline void close_to(double computed, const Json& expected, double tolerance = 1e-9) {
  const double wanted = golden::real(expected);
  CAPTURE(computed);
  CAPTURE(wanted);
  CHECK(std::fabs(computed - wanted) <= std::max(1e-12, tolerance * std::fabs(wanted)));
}

inline std::vector<double> numbers(const Json& json) { return golden_layer::tensor(json).data; }

inline vdm::Endpoints ends_of(const Json& item) {
  return {golden::real(item.at("gamma_0")), golden::real(item.at("gamma_1"))};
}

struct GoldenCurve {
  vdm::CurveForm form;
  std::vector<double> parameters = {};
  [[nodiscard]] vdm::NoiseSchedule between(vdm::Endpoints ends) const {
    return {vdm::make_curve(form, parameters), ends};
  }
};

// A schedule by its name in the file, with the parameters of the entry if it has any.
inline GoldenCurve golden_curve(const std::string& name, const Json* params = nullptr) {
  using vdm::CurveKind;
  GoldenCurve curve;
  CurveKind& kind = curve.form.kind;
  if (name == "beta_linear") kind = CurveKind::beta_linear;
  else if (name == "alpha_cosine") kind = CurveKind::alpha_cosine;
  else if (name == "monotone") kind = CurveKind::monotone;
  else if (name == "monotone_paper") kind = CurveKind::monotone_paper;
  else REQUIRE((name == "logsnr_linear" || name == "learned_linear"));
  if (params == nullptr) return curve;
  curve.form.hidden = static_cast<std::int64_t>(params->at("w2").size());
  for (const vdm::CurveTensor& tensor : vdm::curve_tensors(curve.form)) {
    const Json& values = params->at(tensor.name);
    if (values.is_array())
      for (const double value : numbers(values)) curve.parameters.push_back(value);
    else curve.parameters.push_back(golden::real(values));
  }
  return curve;
}

}  // namespace logpx::vdm_golden
