#include "libcore/families/vdm/schedule/noise_curve.hpp"

#include "libcore/base/error.hpp"

#include <cmath>
#include <numeric>

namespace logpx::vdm {

double NoiseCurve::time_of(double value) const {
  double low = 0, high = 1;
  for (;;) {
    const double middle = std::midpoint(low, high);
    if (middle <= low || middle >= high) return middle;
    (at(middle).value < value ? low : high) = middle;
  }
}

void NoiseCurve::add_gradient(double, CurvePoint, std::span<double>) const {}

void CurveTable::check(const std::string& subject) const {
  const auto refuse = [&](const std::string& why) { fail(ErrorKind::data, subject, why); };
  if (t.size() != g.size())
    refuse("has " + std::to_string(t.size()) + " values of t and " + std::to_string(g.size()) +
           " of g");
  if (t.size() < 2) refuse("has fewer than two knots");
  for (std::size_t i = 0; i < t.size(); ++i)
    if (!std::isfinite(t[i]) || !std::isfinite(g[i]))
      refuse("knot " + std::to_string(i) + " is not finite");
  if (t.front() != 0 || t.back() != 1) refuse("t does not go from 0 to 1");
  for (std::size_t i = 1; i < t.size(); ++i)
    if (!(t[i] > t[i - 1]) || !(g[i] > g[i - 1]))
      refuse("knot " + std::to_string(i) + " is not above the one before: t and g must rise");
}

std::vector<CurveTensor> curve_tensors(const CurveForm& form) {
  const std::int64_t units = form.hidden;
  if (form.kind == CurveKind::monotone)
    return {{"w1"}, {"w2", units}, {"b2", units}, {"w3", units}};
  if (form.kind == CurveKind::monotone_paper)
    return {{"w1"}, {"b1"}, {"w2", units}, {"b2", units}, {"w3", units}};
  return {};
}

std::unique_ptr<const NoiseCurve> make_curve(const CurveForm& form,
                                             std::span<const double> parameters) {
  switch (form.kind) {
    case CurveKind::linear:
    case CurveKind::learned_linear: break;
    case CurveKind::beta_linear: return beta_linear_curve();
    case CurveKind::alpha_cosine: return alpha_cosine_curve();
    case CurveKind::monotone: return monotone_curve(form.hidden, parameters);
    case CurveKind::monotone_paper: return monotone_paper_curve(form.hidden, parameters);
    case CurveKind::table: return table_curve(form.table);
  }
  return linear_curve();
}

}  // namespace logpx::vdm
