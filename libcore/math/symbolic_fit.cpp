#include "libcore/math/symbolic_fit.hpp"

#include "libcore/base/error.hpp"
#include "libcore/math/symbolic_curve.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <string_view>

namespace logpx {
namespace {

constexpr double largest_input = 10;  // of a and b
constexpr int steps_at_most = 100;    // of Levenberg-Marquardt

struct SearchPlan {
  Freedom freedom = Freedom::both;
  std::string_view twin = {};  // the function that it is a moved copy of
};

SearchPlan plan_for(std::string_view name) {
  using enum Freedom;
  if (name == "0" || name == "x") return {none};
  if (name == "exp") return {rate};
  if (name == "cos") return {both, "sin"};
  if (name == "acos") return {both, "asin"};
  for (const char* const rooted : {"sqrt", "1/sqrt", "log"})
    if (name == rooted) return {shift_either_way};
  for (const char* const scaled : {"x^2", "x^3", "x^4", "x^5", "1/x", "1/x^2", "abs", "sign"})
    if (name == scaled) return {shift};
  return {both};
}

std::string_view name_of(std::int64_t function) {
  return symbolic_functions()[static_cast<std::size_t>(function)].name;
}

struct Axis {
  double low = 0, high = 0;
  std::int64_t count = 1;
  [[nodiscard]] double at(std::int64_t i) const {
    return count == 1
               ? low
               : low + (high - low) * static_cast<double>(i) / static_cast<double>(count - 1);
  }
  // Between the neighbours of a point.
  [[nodiscard]] Axis around(double centre) const {
    const double step = count == 1 ? 0 : (high - low) / static_cast<double>(count - 1);
    return {centre - step, centre + step, count};
  }
};

// The best point of grids over (a, b), each around the best one of the grid before.
std::optional<Formula> search(SymbolicCurve& curve, std::int64_t function, Axis of_a, Axis of_b,
                              std::int64_t zooms) {
  double best = -1;
  Formula formula{.function = function};
  for (std::int64_t zoom = 0; zoom < zooms; ++zoom) {
    for (std::int64_t i = 0; i < of_a.count; ++i)
      for (std::int64_t j = 0; j < of_b.count; ++j)
        if (const double r2 = curve.explained(function, of_a.at(i), of_b.at(j)); r2 > best) {
          best = r2;
          formula.a = of_a.at(i);
          formula.b = of_b.at(j);
        }
    if (best < 0) return std::nullopt;
    of_a = of_a.around(formula.a);
    of_b = of_b.around(formula.b);
  }
  return formula;
}

// The same for a shift alone, over as many points as a grid has. Where c absorbs a,
// b stands for b / a, so that far shifts are tried, too, but less densely.
std::optional<Formula> search_shift(SymbolicCurve& curve, std::int64_t function, double a,
                                    const SymbolicOptions& options) {
  const std::int64_t count = options.grid * options.grid;
  std::optional<Formula> found;
  double best = -1, spacing = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const double place = 2 * (static_cast<double>(i) + 0.5) / static_cast<double>(count) - 1;
    const double b = largest_input / 2 * std::tan(std::numbers::pi / 2 * place);
    if (std::fabs(b) > largest_input * largest_input) continue;
    if (const double r2 = curve.explained(function, a, b); r2 > best) {
      best = r2;
      found = Formula{.function = function, .a = a, .b = b};
      spacing = std::numbers::pi / 2 * (largest_input / 2 + b * b * 2 / largest_input) * 2 /
                static_cast<double>(count);
    }
  }
  if (!found) return std::nullopt;
  return search(curve, function, {a, a, 1}, {found->b - spacing, found->b + spacing, options.grid},
                options.zooms - 1);
}

std::optional<Formula> coarse_fit(SymbolicCurve& curve, std::int64_t function, Freedom freedom,
                                  const SymbolicOptions& options) {
  switch (freedom) {
    case Freedom::none: return Formula{.function = function};
    case Freedom::rate:
      return search(curve, function, {-largest_input, largest_input, options.grid * options.grid},
                    {0, 0, 1}, options.zooms);
    case Freedom::shift: return search_shift(curve, function, 1, options);
    case Freedom::shift_either_way: {
      const auto up = search_shift(curve, function, 1, options),
                 down = search_shift(curve, function, -1, options);
      if (!up || !down) return up ? up : down;
      return curve.explained(function, 1, up->b) >= curve.explained(function, -1, down->b) ? up
                                                                                           : down;
    }
    // All these h are odd or even, so that the sign of a goes into c.
    case Freedom::both: break;
  }
  return search(curve, function, {0, largest_input, options.grid},
                {-largest_input, largest_input, options.grid}, options.zooms);
}

Formula refined(const SymbolicCurve& curve, Formula formula, Freedom freedom) {
  double left = curve.squares_left(formula), damping = 1e-3;
  for (int i = 0; i < steps_at_most && damping < 1e10 && left > 0; ++i) {
    const Formula next = curve.step(formula, damping, freedom);
    const double then = curve.finite(next) ? curve.squares_left(next) : left;
    if (then < left) {
      const bool settled = left - then < 1e-13 * left;
      formula = next;
      left = then;
      damping = std::max(damping / 10, 1e-10);
      if (settled) break;
    } else {
      damping *= 10;
    }
  }
  return formula;
}

// cos(u - pi/2) = sin(u), acos(u) = pi/2 - asin(u).
Formula as_twin(Formula formula, std::int64_t function) {
  if (name_of(function) == "cos") {
    formula.b -= std::numbers::pi / 2;
  } else {
    formula.d += formula.c * std::numbers::pi / 2;
    formula.c = -formula.c;
  }
  formula.function = function;
  return formula;
}

std::optional<Formula> fit_one(SymbolicCurve& curve, std::int64_t function,
                               const SymbolicOptions& options) {
  const Freedom freedom = plan_for(name_of(function)).freedom;
  const std::optional<Formula> start = coarse_fit(curve, function, freedom, options);
  const std::optional<Formula> scaled = start ? curve.with_scale(*start) : std::nullopt;
  if (!scaled) return std::nullopt;
  const bool moves = freedom != Freedom::none && name_of(function) != "sign";
  const std::optional<Formula> fitted =
      curve.with_scale(moves ? refined(curve, *scaled, freedom) : *scaled);
  if (!fitted || !std::isfinite(curve.r2(*fitted))) return std::nullopt;
  return fitted;
}

}  // namespace

SymbolicFits fit_formulas(const SymbolicPoints& points, const SymbolicOptions& options) {
  SymbolicCurve curve(points);
  SymbolicFits fits;
  const auto consider = [&](const Formula& formula, double r2) {
    const double complexity =
        symbolic_functions()[static_cast<std::size_t>(formula.function)].complexity;
    fits.candidates.push_back(
        {formula, r2,
         options.simplicity * complexity +
             (1 - options.simplicity) * std::log2(1 + 1e-5 - std::min(r2, 1.0))});
  };
  if (curve.range() < std::max(options.flat, 1e-12)) {
    consider({.function = 0, .c = 0, .d = curve.mean()}, 1);
    return fits;
  }
  std::vector<std::optional<Formula>> fitted;
  for (std::int64_t f = 0; f < std::ssize(symbolic_functions()); ++f) {
    const std::string_view twin = plan_for(name_of(f)).twin;
    if (f == 0) fitted.emplace_back();
    else if (twin.empty()) fitted.push_back(fit_one(curve, f, options));
    else {
      const auto& other = fitted[static_cast<std::size_t>(symbolic_function(std::string(twin)))];
      fitted.push_back(other ? std::optional(as_twin(*other, f)) : std::nullopt);
    }
    if (fitted.back() && (name_of(f) == "x" || !curve.has_large_terms(*fitted.back())))
      consider(*fitted.back(), curve.r2(*fitted.back()));
  }
  std::ranges::stable_sort(fits.candidates, {}, &SymbolicFit::score);
  fits.poor = fits.best().r2 < options.min_r2;
  return fits;
}

}  // namespace logpx
