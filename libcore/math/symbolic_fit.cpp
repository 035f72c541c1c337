#include "libcore/math/symbolic_fit.hpp"

#include "libcore/base/error.hpp"
#include "libcore/math/least_squares.hpp"
#include "libcore/math/vector_math.hpp"

#include <algorithm>
#include <array>
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

namespace {

constexpr double largest_terms = 5;         // of the range of y
constexpr double smallest_squares = 1e-20;  // of h: single precision has no smaller products
constexpr std::size_t lane_count = 8, quick_points = 64;

// Never 0, since all the weight may lie between the points of a search.
double quick_weight(double weight) { return weight + 1e-9; }

template <double (*h)(double)>
void each(std::span<float> u) {
  for (float& x : u) x = static_cast<float>(h(static_cast<double>(x)));
}

// u becomes h(u), for many u at once and to the seven digits that a search needs.
void apply_function(std::string_view name, std::span<float> u) {
  const auto over = [&](auto h) {
    for (float& x : u) x = h(x);
  };
  if (name == "x^2") return over([](float x) { return x * x; });
  if (name == "x^3") return over([](float x) { return x * x * x; });
  if (name == "x^4") return over([](float x) { return x * x * (x * x); });
  if (name == "x^5") return over([](float x) { return x * x * (x * x) * x; });
  if (name == "1/x") return over([](float x) { return 1 / x; });
  if (name == "1/x^2") return over([](float x) { return 1 / (x * x); });
  if (name == "sqrt") return over([](float x) { return std::sqrt(x); });
  if (name == "1/sqrt") return over([](float x) { return 1 / std::sqrt(x); });
  if (name == "abs") return over([](float x) { return std::fabs(x); });
  if (name == "sign") return over([](float x) { return x > 0 ? 1.0f : x < 0 ? -1.0f : 0.0f; });
  if (name == "asin") return each<std::asin>(u);
  if (name == "atan") return each<std::atan>(u);
  if (name == "atanh") return each<std::atanh>(u);
  if (name == "exp") return vec::exp(u, u);
  if (name == "log") return vec::log(u, u);
  if (name == "sin") return vec::sin(u, u);
  if (name == "tanh") return vec::tanh(u, u);
  if (name == "gaussian") {
    over([](float x) { return -x * x; });
    return vec::exp(u, u);
  }
  LOGPX_ASSERT(name == "tan");
  std::vector<float> cosine(u.size());
  vec::cos(u, cosine);
  vec::sin(u, u);
  for (std::size_t i = 0; i < u.size(); ++i) u[i] /= cosine[i];
}

double total_of(const std::array<float, lane_count>& sums) {
  double total = 0;
  for (const float sum : sums) total += static_cast<double>(sum);
  return total;
}
std::vector<std::size_t> free_places(Freedom freedom) {
  if (freedom == Freedom::both) return {0, 1, 2, 3};
  if (freedom == Freedom::rate) return {0, 2, 3};
  return {1, 2, 3};
}

}  // namespace

SymbolicCurve::SymbolicCurve(const SymbolicPoints& points) : low_(points.low), high_(points.high) {
  LOGPX_ASSERT(points.y.size() == points.z.size() && points.weights.size() == points.z.size());
  double total = 0, largest = points.y[0], least = points.y[0];
  for (const double weight : points.weights) total += weight;
  LOGPX_ASSERT(total > 0 && std::isfinite(total));
  for (std::size_t i = 0; i < points.z.size(); ++i) {
    z_.push_back(points.z[i]);
    y_.push_back(points.y[i]);
    weights_.push_back(points.weights[i] / total);
    mean_ += weights_[i] * y_[i];
    largest = std::max(largest, y_[i]);
    least = std::min(least, y_[i]);
  }
  range_ = largest - least;
  for (std::size_t i = 0; i < z_.size(); ++i) {
    const double off = y_[i] - mean_;
    variance_ += weights_[i] * off * off;
    weighted_y_.push_back(weights_[i] * off);
  }
  choose_quick();
}

// Some of the points, evenly chosen, for the search; filled up with points of no weight.
void SymbolicCurve::choose_quick() {
  const std::size_t stride = (z_.size() + quick_points - 1) / quick_points;
  double total = 0, mean = 0;
  for (std::size_t i = stride / 2; i < z_.size(); i += stride) {
    total += quick_weight(weights_[i]);
    mean += quick_weight(weights_[i]) * y_[i];
  }
  mean /= total;
  for (std::size_t i = stride / 2; i < z_.size(); i += stride) {
    const double off = y_[i] - mean;
    quick_variance_ += quick_weight(weights_[i]) / total * off * off;
    quick_z_.push_back(static_cast<float>(z_[i]));
    quick_y_.push_back(static_cast<float>(off));
    quick_weights_.push_back(static_cast<float>(quick_weight(weights_[i]) / total));
  }
  while (quick_z_.size() % lane_count != 0) {
    quick_z_.push_back(quick_z_.back());
    quick_y_.push_back(0);
    quick_weights_.push_back(0);
  }
  argument_.resize(quick_z_.size());
}

double SymbolicCurve::explained(std::int64_t function, double a, double b) {
  if (!finite({function, a, b, 1, 0})) return -1;
  for (std::size_t i = 0; i < argument_.size(); ++i)
    argument_[i] = static_cast<float>(a) * quick_z_[i] + static_cast<float>(b);
  apply_function(symbolic_functions()[static_cast<std::size_t>(function)].name, argument_);
  const float pivot = argument_[argument_.size() / 2];
  std::array<float, lane_count> sum{}, squares{}, product{};
  for (std::size_t i = 0; i < argument_.size(); i += lane_count)
    for (std::size_t lane = 0; lane < lane_count; ++lane) {
      const float h = argument_[i + lane] - pivot, weighted = quick_weights_[i + lane] * h;
      sum[lane] += weighted;
      squares[lane] += weighted * h;
      product[lane] += quick_y_[i + lane] * weighted;
    }
  const double mean = total_of(sum), all = total_of(squares), spread = all - mean * mean;
  if (!(spread > 1e-6 * all) || all < smallest_squares) return -1;
  const double common = total_of(product);
  return common * common / (spread * quick_variance_);
}

std::optional<Formula> SymbolicCurve::with_scale(Formula formula) const {
  formula.c = 1;
  formula.d = 0;
  if (!finite(formula)) return std::nullopt;
  std::vector<double> h(z_.size());
  evaluate(formula, z_, h);
  double mean = 0, spread = 0, product = 0;
  for (std::size_t i = 0; i < h.size(); ++i) mean += weights_[i] * h[i];
  for (std::size_t i = 0; i < h.size(); ++i) {
    spread += weights_[i] * (h[i] - mean) * (h[i] - mean);
    product += weighted_y_[i] * (h[i] - mean);
  }
  if (!(spread > 0)) return std::nullopt;
  formula.c = product / spread;
  formula.d = mean_ - formula.c * mean;
  return formula;
}

double SymbolicCurve::squares_left(const Formula& formula) const {
  std::vector<double> f(z_.size());
  evaluate(formula, z_, f);
  double sum = 0;
  for (std::size_t i = 0; i < f.size(); ++i) sum += weights_[i] * (y_[i] - f[i]) * (y_[i] - f[i]);
  return sum;
}
double SymbolicCurve::r2(const Formula& formula) const {
  return 1 - squares_left(formula) / variance_;
}

bool SymbolicCurve::has_large_terms(Formula formula) const {
  formula.d = 0;
  std::vector<double> f(z_.size());
  evaluate(formula, z_, f);
  return std::ranges::any_of(
      f, [this](double value) { return !(std::fabs(value) <= largest_terms * range_); });
}

Formula SymbolicCurve::step(const Formula& from, double damping, Freedom freedom) const {
  const std::vector<std::size_t> free = free_places(freedom);
  const std::size_t columns = free.size();
  std::vector<double> f(z_.size()), slope(z_.size()), h(z_.size()), basis(z_.size() * columns),
      left(z_.size()), norms(columns);
  evaluate(from, z_, f, slope);
  evaluate({from.function, from.a, from.b, 1, 0}, z_, h);
  for (std::size_t i = 0; i < z_.size(); ++i) {
    const double root = std::sqrt(weights_[i]);
    // The slopes of a root and of an arc sine are infinite at the ends of what they are defined on.
    const double by_b = from.a != 0 && std::isfinite(slope[i]) ? slope[i] / from.a : 0;
    const std::array<double, 4> row = {by_b * z_[i], by_b, h[i], 1};
    left[i] = root * (y_[i] - f[i]);
    for (std::size_t j = 0; j < columns; ++j) {
      basis[i * columns + j] = root * row[free[j]];
      norms[j] += basis[i * columns + j] * basis[i * columns + j];
    }
  }
  for (double& norm : norms) norm = norm > 0 ? std::sqrt(norm) : 1;
  for (std::size_t e = 0; e < basis.size(); ++e) basis[e] /= norms[e % columns];
  const std::vector<double> move = solve(
      {.rows = std::ssize(z_), .columns = static_cast<std::int64_t>(columns), .ridge = damping},
      basis, left);
  Formula to = from;
  const std::array<double*, 4> places = {&to.a, &to.b, &to.c, &to.d};
  for (std::size_t j = 0; j < columns; ++j) *places[free[j]] += move[j] / norms[j];
  return to;
}

}  // namespace logpx
