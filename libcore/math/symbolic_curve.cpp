#include "libcore/math/symbolic_curve.hpp"

#include "libcore/base/error.hpp"
#include "libcore/math/least_squares.hpp"
#include "libcore/math/vector_math.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace logpx {
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
