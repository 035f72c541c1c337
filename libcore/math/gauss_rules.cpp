#include "libcore/math/gauss_rules.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/math/least_squares.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <numbers>

namespace logpx {
namespace {

// Rules are made in long double, so that the last bits of double are right.
using Long = long double;

struct LegendreValue {
  Long value, slope;
};

LegendreValue legendre(std::int64_t n, Long x) {
  Long below = 1, at_x = x;
  for (std::int64_t k = 1; k < n; ++k) {
    const auto degree = static_cast<Long>(k);
    const Long above = ((2 * degree + 1) * x * at_x - degree * below) / (degree + 1);
    below = at_x;
    at_x = above;
  }
  const auto degree = static_cast<Long>(n);
  return {at_x, degree * (below - x * at_x) / ((1 - x) * (1 + x))};
}

QuadratureRule make_gauss_legendre(std::int64_t n) {
  QuadratureRule rule{std::vector<double>(at(n)), std::vector<double>(at(n))};
  const auto count = static_cast<Long>(n);
  for (std::int64_t i = 0; 2 * i < n; ++i) {
    Long x = 0;
    if (2 * i + 1 < n) {  // Tricomi's start
      x = (1 - (1 - 1 / count) / (8 * count * count)) *
          std::cos(std::numbers::pi_v<Long> * (4 * static_cast<Long>(i) + 3) / (4 * count + 2));
      for (int step = 0; step < 10; ++step) {
        const LegendreValue p = legendre(n, x);
        const Long move = p.value / p.slope;
        x -= move;
        if (std::fabs(move) < 1e-17L) break;
      }
    }
    const Long slope = n == 1 ? 1 : legendre(n, x).slope;
    const auto weight = static_cast<double>(2 / ((1 - x) * (1 + x) * slope * slope));
    rule.nodes[at(i)] = -static_cast<double>(x);
    rule.nodes[at(n - 1 - i)] = static_cast<double>(x);
    rule.weights[at(i)] = rule.weights[at(n - 1 - i)] = weight;
  }
  return rule;
}

// Recurrence coefficients b_k of the Kronrod extension, k <= 2n; those of Legendre on entry, as far
// as k <= ceil(3n/2). For an even weight all a_k are 0, which leaves this of Laurie's algorithm.
std::vector<Long> laurie(std::int64_t n) {
  std::vector<Long> b(at(2 * n + 1)), s(at(n / 2 + 2)), t(at(n / 2 + 2));
  for (std::int64_t k = 1; k <= (3 * n + 1) / 2; ++k) {
    const auto degree = static_cast<Long>(k);
    b[at(k)] = degree * degree / (4 * degree * degree - 1);
  }
  b[0] = 2;
  t[1] = b[at(n + 1)];
  for (std::int64_t m = 0; m <= n - 2; ++m) {
    Long sum = 0;
    for (std::int64_t k = (m + 1) / 2; k >= 0; --k) {
      sum += b[at(k + n + 1)] * s[at(k)] - b[at(m - k)] * s[at(k + 1)];
      s[at(k + 1)] = sum;
    }
    std::swap(s, t);
  }
  for (std::int64_t j = n / 2; j >= 0; --j) s[at(j + 1)] = s[at(j)];
  for (std::int64_t m = n - 1; m <= 2 * n - 3; ++m) {
    Long sum = 0;
    std::int64_t j = 0;
    for (std::int64_t k = m + 1 - n; k <= (m - 1) / 2; ++k) {
      j = n - 1 - (m - k);
      sum += b[at(m - k)] * s[at(j + 2)] - b[at(k + n + 1)] * s[at(j + 1)];
      s[at(j + 1)] = sum;
    }
    if (m % 2 == 1) b[at((m + 1) / 2 + n + 1)] = s[at(j + 1)] / s[at(j + 2)];
    std::swap(s, t);
  }
  return b;
}

// Eigenvalues of the symmetric tridiagonal matrix with `side` beside the diagonal (side[i] stands
// between i and i + 1; the last is 0), and the first entry of each eigenvector. [implicit QL]
struct Spectrum {
  std::vector<Long> values, first;
};
void rotate_up(Spectrum& spectrum, std::vector<Long>& side, std::size_t l, std::size_t m) {
  std::vector<Long>& d = spectrum.values;
  Long g = (d[l + 1] - d[l]) / (2 * side[l]);
  g = d[m] - d[l] + side[l] / (g + std::copysign(std::hypot(g, Long(1)), g));
  Long sine = 1, cosine = 1, shift = 0;
  for (std::size_t i = m; i-- > l;) {
    const Long f = sine * side[i], b = cosine * side[i];
    const Long r = std::hypot(f, g);
    side[i + 1] = r;
    if (r == 0) {
      d[i + 1] -= shift;
      side[m] = 0;
      return;
    }
    sine = f / r;
    cosine = g / r;
    const Long h = d[i + 1] - shift, q = (d[i] - h) * sine + 2 * cosine * b;
    shift = sine * q;
    d[i + 1] = h + shift;
    g = cosine * q - b;
    const Long z = spectrum.first[i + 1];
    spectrum.first[i + 1] = sine * spectrum.first[i] + cosine * z;
    spectrum.first[i] = cosine * spectrum.first[i] - sine * z;
  }
  d[l] -= shift;
  side[l] = g;
  side[m] = 0;
}
Spectrum tridiagonal_spectrum(std::vector<Long> diagonal, std::vector<Long> side) {
  const std::size_t n = diagonal.size();
  Spectrum spectrum{std::move(diagonal), std::vector<Long>(n)};
  spectrum.first[0] = 1;
  for (std::size_t l = 0; l < n; ++l)
    for (int round = 0; round < 100; ++round) {
      std::size_t m = l;
      while (m + 1 < n && std::fabs(side[m]) > 1e-19L * (std::fabs(spectrum.values[m]) +
                                                         std::fabs(spectrum.values[m + 1])))
        ++m;
      if (m == l) break;
      rotate_up(spectrum, side, l, m);
    }
  return spectrum;
}

KronrodRule make_gauss_kronrod(std::int64_t n) {
  const std::size_t count = at(2 * n + 1);
  const std::vector<Long> b = laurie(n);
  std::vector<Long> side(count);
  for (std::size_t k = 1; k < count; ++k) side[k - 1] = std::sqrt(b[k]);
  const Spectrum spectrum = tridiagonal_spectrum(std::vector<Long>(count), std::move(side));
  std::vector<std::pair<Long, Long>> pairs;
  for (std::size_t i = 0; i < count; ++i)
    pairs.emplace_back(spectrum.values[i], b[0] * spectrum.first[i] * spectrum.first[i]);
  std::sort(pairs.begin(), pairs.end());

  const QuadratureRule& gauss = gauss_legendre(n);
  KronrodRule rule{std::vector<double>(count), std::vector<double>(count),
                   std::vector<double>(count)};
  for (std::size_t i = 0; i < count; ++i) {  // symmetric to the last bit
    const auto& [node, weight] = pairs[i];
    const auto& [mirrored_node, mirrored_weight] = pairs[count - 1 - i];
    rule.nodes[i] =
        i % 2 == 1 ? gauss.nodes[i / 2] : static_cast<double>((node - mirrored_node) / 2);
    rule.weights[i] = static_cast<double>((weight + mirrored_weight) / 2);
    if (i % 2 == 1) rule.gauss_weights[i] = gauss.weights[i / 2];
  }
  return rule;
}

std::vector<double> make_legendre_transform(std::int64_t n) {
  const std::vector<double>& nodes = gauss_kronrod(n).nodes;
  const std::size_t count = nodes.size();
  std::vector<double> values(count * count), unit(count * count);
  for (std::size_t i = 0; i < count; ++i) {
    double below = 0, now = 1;
    for (std::size_t k = 0; k < count; ++k) {
      values[i * count + k] = now;
      const auto degree = static_cast<double>(k);
      const double above = ((2 * degree + 1) * nodes[i] * now - degree * below) / (degree + 1);
      below = now;
      now = above;
    }
    unit[i * count + i] = 1;
  }
  const std::int64_t size = 2 * n + 1;
  return solve({.rows = size, .columns = size, .sides = size}, values, unit);
}

// Nodes of a std::map stay where they are.
template <typename Rule>
const Rule& kept_rule(std::int64_t n, Rule (*make)(std::int64_t)) {
  static std::mutex mutex;
  static std::map<std::int64_t, Rule> rules;
  {
    const std::scoped_lock lock(mutex);
    if (const auto found = rules.find(n); found != rules.end()) return found->second;
  }
  Rule rule = make(n);
  const std::scoped_lock lock(mutex);
  return rules.try_emplace(n, std::move(rule)).first->second;
}

}  // namespace

const QuadratureRule& gauss_legendre(std::int64_t n) {
  LOGPX_ASSERT(n >= 1 && n <= 2000);
  return kept_rule(n, make_gauss_legendre);
}

const KronrodRule& gauss_kronrod(std::int64_t n) {
  LOGPX_ASSERT(n >= 2 && n <= 50);
  return kept_rule(n, make_gauss_kronrod);
}

const std::vector<double>& legendre_transform(std::int64_t n) {
  LOGPX_ASSERT(n >= 2 && n <= 50);
  return kept_rule(n, make_legendre_transform);
}

QuadratureRule trapezoid(std::int64_t n) {
  LOGPX_ASSERT(n >= 2);
  QuadratureRule rule;
  const double step = 2 / static_cast<double>(n - 1);
  for (std::int64_t i = 0; i < n; ++i) {
    rule.nodes.push_back(static_cast<double>(2 * i - (n - 1)) / static_cast<double>(n - 1));
    rule.weights.push_back(i == 0 || i == n - 1 ? step / 2 : step);
  }
  return rule;
}

QuadratureRule on_interval(const QuadratureRule& rule, double low, double high) {
  QuadratureRule moved = rule;
  const double middle = low / 2 + high / 2, half = high / 2 - low / 2;
  for (double& node : moved.nodes) node = middle + half * node;
  for (double& weight : moved.weights) weight *= half;
  return moved;
}

QuadratureRule composite_gauss_legendre(std::span<const double> breaks, std::int64_t nodes) {
  LOGPX_ASSERT(breaks.size() >= 2);
  const double whole = breaks.back() - breaks.front();
  QuadratureRule rule;
  for (std::size_t i = 0; i + 1 < breaks.size(); ++i) {
    LOGPX_ASSERT(breaks[i] < breaks[i + 1]);
    const double share = (breaks[i + 1] - breaks[i]) / whole;
    const std::int64_t count = std::clamp<std::int64_t>(
        std::llround(share * static_cast<double>(nodes)), std::int64_t{4}, std::int64_t{2000});
    const QuadratureRule panel = on_interval(gauss_legendre(count), breaks[i], breaks[i + 1]);
    rule.nodes.insert(rule.nodes.end(), panel.nodes.begin(), panel.nodes.end());
    rule.weights.insert(rule.weights.end(), panel.weights.begin(), panel.weights.end());
  }
  return rule;
}

}  // namespace logpx
