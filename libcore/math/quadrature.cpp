#include "libcore/math/quadrature.hpp"

#include "libcore/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace logpx {
namespace {

// The orthonormal Hermite functions h_k(x) e^(-x^2/4) of the weight N(0,1): without the envelope
// high degrees overflow. Gives those of degree n - 1 and n at x, up to one common factor, whose
// logarithm is kept with them.
struct TwoDegrees {
  double below, at, log_scale;
};

TwoDegrees hermite(std::int64_t n, double x) {
  double below = 0, at = 1, log_scale = 0;
  for (std::int64_t k = 0; k < n; ++k) {
    const auto degree = static_cast<double>(k);
    const double above = (x * at - std::sqrt(degree) * below) / std::sqrt(degree + 1);
    below = at;
    at = above;
    const double size = std::max(std::abs(at), std::abs(below));
    if (size > 1e100) {
      below /= size;
      at /= size;
      log_scale += std::log(size);
    }
  }
  return {below, at, log_scale};
}

// The root nearest to a guess: h_n' = sqrt(n) h_(n-1).
double polish(std::int64_t n, double x) {
  for (int i = 0; i < 100; ++i) {
    const TwoDegrees h = hermite(n, x);
    const double step = h.at / (std::sqrt(static_cast<double>(n)) * h.below);
    x -= step;
    if (std::abs(step) <= 4e-16 * std::max(1.0, std::abs(x))) break;
  }
  return x;
}

// How many roots lie below x: sign changes of the sequence of degrees 0 .. n (Sturm).
std::int64_t roots_below(std::int64_t n, double x) {
  double below = 0, at = 1;
  std::int64_t changes = 0;
  for (std::int64_t k = 0; k < n; ++k) {
    const auto degree = static_cast<double>(k);
    double above = (x * at - std::sqrt(degree) * below) / std::sqrt(degree + 1);
    if (above == 0) above = -at * 1e-300;
    changes += (above < 0) != (at < 0) ? 1 : 0;
    below = at;
    at = above;
    if (const double size = std::max(std::abs(at), std::abs(below)); size > 1e100) {
      below /= size;
      at /= size;
    }
  }
  return n - changes;
}

}  // namespace

NormalQuadrature normal_quadrature(std::int64_t n) {
  LOGPX_ASSERT(n >= 1 && n <= 512);
  NormalQuadrature rule;
  const double edge = 2 * std::sqrt(static_cast<double>(n)) + 1;
  for (std::int64_t i = 0; i < n; ++i) {
    double low = -edge, high = edge;
    while (high - low > 1e-6 * edge) {
      const double middle = (low + high) / 2;
      (roots_below(n, middle) > i ? high : low) = middle;
    }
    rule.nodes.push_back(polish(n, (low + high) / 2));
  }
  for (std::int64_t i = 0; i < n; ++i) {  // symmetric to the last bit
    const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(n - 1 - i);
    if (i < n - 1 - i) {
      rule.nodes[b] = (rule.nodes[b] - rule.nodes[a]) / 2;
      rule.nodes[a] = -rule.nodes[b];
    } else if (i == n - 1 - i) {
      rule.nodes[a] = 0;
    }
  }
  // w_i = 1 / (n h_(n-1)(x_i)^2)
  for (const double x : rule.nodes) {
    const TwoDegrees h = hermite(n, x);
    rule.log_weights.push_back(-std::log(static_cast<double>(n)) -
                               2 * (std::log(std::abs(h.below)) + h.log_scale));
  }
  return rule;
}

QuadratureGrid::QuadratureGrid(std::int64_t nodes, std::int64_t dims)
    : rule_(normal_quadrature(nodes)), dims_(dims) {
  for (std::int64_t d = 0; d < dims; ++d) points_ *= nodes;
}

double QuadratureGrid::point(std::int64_t number, std::span<double> z) const {
  const std::int64_t n = std::ssize(rule_.nodes);
  double log_weight = 0;
  for (std::int64_t d = dims_ - 1; d >= 0; --d) {
    const auto i = static_cast<std::size_t>(number % n);
    z[static_cast<std::size_t>(d)] = rule_.nodes[i];
    log_weight += rule_.log_weights[i];
    number /= n;
  }
  return log_weight;
}

}  // namespace logpx
