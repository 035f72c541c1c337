#include "libcore/families/kaem/penalties/penalty_options.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/families/kaem/config.hpp"
#include "libcore/math/repeatable.hpp"

#include <cmath>

namespace logpx::kaem {
namespace {

double sign_of(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

// How many coefficients in a row are of one kind.
std::size_t run_length(const CurveForm& form) {
  const auto all = static_cast<std::size_t>(basis_size(form));
  return form.basis == CurveBasis::fourier ? all / 2 : all;
}

// use(k) for each coefficient k that has a neighbour after it.
template <typename Use>
void for_each_step(const CurveForm& form, std::size_t count, Use use) {
  const std::size_t run = run_length(form);
  for (std::size_t k = 0; k + 1 < count; ++k)
    if ((k + 1) % run != 0) use(k);
}

}  // namespace

EdgeSize edge_size(std::span<const double> scores) {
  EdgeSize size;
  for (const double a : scores) size.l1 += a;
  if (size.l1 == 0) return size;
  for (const double a : scores)
    if (a > 0) size.entropy -= a / size.l1 * repeatable_log(a / size.l1);
  return size;
}

void edge_slopes(std::span<const double> scores, const PenaltyWeights& weights,
                 std::span<double> slopes) {
  const EdgeSize size = edge_size(scores);
  for (std::size_t e = 0; e < scores.size(); ++e)
    slopes[e] = scores[e] == 0
                    ? 0
                    : weights.l1 - weights.entropy *
                                       (repeatable_log(scores[e] / size.l1) + size.entropy) /
                                       size.l1;
}

CoefSums coef_sums(const CurveForm& form, std::span<const double> coef) {
  CoefSums sums;
  for (const double c : coef) sums.size += std::fabs(c);
  for_each_step(form, coef.size(),
                [&](std::size_t k) { sums.steps += std::fabs(coef[k + 1] - coef[k]); });
  return sums;
}

std::int64_t neighbours(const CurveForm& form) {
  std::int64_t count = 0;
  for_each_step(form, static_cast<std::size_t>(basis_size(form)), [&](std::size_t) { ++count; });
  return count;
}

void add_coef_slopes(const CurveForm& form, std::span<const double> coef, const CoefSums& factors,
                     std::span<double> slopes) {
  for (std::size_t k = 0; k < coef.size(); ++k) slopes[k] += factors.size * sign_of(coef[k]);
  for_each_step(form, coef.size(), [&](std::size_t k) {
    const double slope = factors.steps * sign_of(coef[k + 1] - coef[k]);
    slopes[k + 1] += slope;
    slopes[k] -= slope;
  });
}

void PenaltyOptions::describe(Fields& f) {
  const Condition charged{[this] { return on(); }, "--lambda-reg"};
  f.group("penalties of curves");
  f.add("lambda-reg", lambda, "factor on all penalties of curves").range(0, 1e6).rank(Rank::manual);
  f.add("mu-l1", weights.l1, "weight of the sum of the edges' scores, the means of |f|")
      .range(0, 1e6)
      .when(charged)
      .rank(Rank::manual);
  f.add("mu-entropy", weights.entropy, "weight of the entropy of the scores of a layer")
      .range(0, 1e6)
      .when(charged)
      .rank(Rank::manual);
  f.add("mu-coef", weights.coef, "weight of the mean size of coefficients")
      .range(0, 1e6)
      .when(charged)
      .rank(Rank::manual);
  f.add("mu-steps", weights.steps, "weight of the mean step between neighbouring coefficients")
      .range(0, 1e6)
      .when(charged)
      .rank(Rank::manual);
  f.add("reg-targets", targets,
        {{"prior", PenaltyTargets::prior, "those of the energies"},
         {"generator", PenaltyTargets::generator, "those of a kan generator"},
         {"both", PenaltyTargets::both, "both"}},
        "whose curves are charged")
      .when(charged)
      .rank(Rank::manual);
}

void PenaltyOptions::validate(const Config& config) const {
  if (!on() || targets != PenaltyTargets::generator) return;
  if (config.generator.kind != GeneratorKind::kan)
    fail(ErrorKind::usage, "--reg-targets generator", "needs a generator of curves",
         "--generator kan, or --reg-targets prior");
}

}  // namespace logpx::kaem
