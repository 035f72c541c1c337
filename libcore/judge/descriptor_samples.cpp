#include "libcore/judge/descriptor_samples.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace logpx {
namespace {

// What GuacaMol adds to each density, so that there is a logarithm of all.
constexpr double least_density = 1e-10;
constexpr std::int64_t density_points = 1000, bins = 10;

double norm(const NamedCounts& counts) {
  double sum = 0;
  for (const auto& [name, count] : counts)
    sum += static_cast<double>(count) * static_cast<double>(count);
  return std::sqrt(sum);
}

// sum p log(p / q) with p and q scaled to sum to 1.
double divergence(std::span<const double> p, std::span<const double> q) {
  const double p_sum = std::accumulate(p.begin(), p.end(), 0.0),
               q_sum = std::accumulate(q.begin(), q.end(), 0.0);
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i)
    sum += p[i] / p_sum * std::log(p[i] / p_sum / (q[i] / q_sum));
  return sum;
}

// The width of normals around the values; 0 where they do not differ.
double kernel_width(std::span<const double> values) {
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / (n - 1)) * std::pow(n, -0.2);
}

struct EvenPoints {
  double low, high;
  [[nodiscard]] double operator[](std::int64_t i) const {
    return low + (high - low) * static_cast<double>(i) / (density_points - 1);
  }
};

std::vector<double> densities(std::span<const double> values, double width, EvenPoints points) {
  const double scale =
      1 / (static_cast<double>(values.size()) * width * std::sqrt(2 * std::acos(-1.0)));
  std::vector<double> made(at(density_points));
  for (std::int64_t i = 0; i < density_points; ++i) {
    double sum = 0;
    for (const double value : values) {
      const double u = (points[i] - value) / width;
      sum += std::exp(-0.5 * u * u);
    }
    made[at(i)] = scale * sum + least_density;
  }
  return made;
}

struct Edges {
  double low, high;
  [[nodiscard]] double width() const { return (high - low) / bins; }
  [[nodiscard]] double edge(std::int64_t i) const {
    return i == bins ? high : low + static_cast<double>(i) * width();
  }
};

// Shares per width in bins that each hold their lower edge, the last one both.
std::optional<std::array<double, bins>> histogram(std::span<const double> values, Edges edges) {
  std::array<double, bins> shares{};
  double inside = 0;
  for (const double value : values) {
    if (!(edges.low <= value && value <= edges.high)) continue;
    std::int64_t bin = bins - 1;
    while (bin > 0 && value < edges.edge(bin)) --bin;
    ++shares[at(bin)];
    ++inside;
  }
  if (inside == 0) return std::nullopt;
  for (double& share : shares) share = share / inside / edges.width() + least_density;
  return shares;
}

}  // namespace

std::optional<double> cosine(const NamedCounts& a, const NamedCounts& b) {
  const double norms = norm(a) * norm(b);
  if (norms == 0) return std::nullopt;
  double product = 0;
  for (const auto& [name, count] : a)
    if (const auto other = b.find(name); other != b.end())
      product += static_cast<double>(count) * static_cast<double>(other->second);
  return product / norms;
}

std::optional<double> wasserstein_1(std::vector<double> a, std::vector<double> b) {
  if (a.empty() || b.empty()) return std::nullopt;
  std::ranges::sort(a);
  std::ranges::sort(b);
  const auto n = static_cast<double>(a.size()), m = static_cast<double>(b.size());
  double sum = 0, x = std::min(a[0], b[0]);
  for (std::size_t i = 0, j = 0; i < a.size() || j < b.size();) {
    const bool from_a = j == b.size() || (i < a.size() && a[i] <= b[j]);
    const double next = from_a ? a[i] : b[j];
    sum += std::fabs(static_cast<double>(i) / n - static_cast<double>(j) / m) * (next - x);
    x = next;
    ++(from_a ? i : j);
  }
  return sum;
}

std::optional<double> continuous_divergence(std::span<const double> baseline,
                                            std::span<const double> sampled) {
  LOGPX_ASSERT(baseline.size() >= 2 && sampled.size() >= 2);
  const double baseline_width = kernel_width(baseline), sampled_width = kernel_width(sampled);
  if (!(baseline_width > 0 && sampled_width > 0)) return std::nullopt;
  const auto [low_p, high_p] = std::ranges::minmax(baseline);
  const auto [low_q, high_q] = std::ranges::minmax(sampled);
  const EvenPoints points{std::min(low_p, low_q), std::max(high_p, high_q)};
  return divergence(densities(baseline, baseline_width, points),
                    densities(sampled, sampled_width, points));
}

std::optional<double> discrete_divergence(std::span<const double> baseline,
                                          std::span<const double> sampled) {
  LOGPX_ASSERT(baseline.size() >= 2 && sampled.size() >= 2);
  const auto [low, high] = std::ranges::minmax(baseline);
  // As numpy does where all values are equal.
  const Edges edges = low < high ? Edges{low, high} : Edges{low - 0.5, high + 0.5};
  const auto p = histogram(baseline, edges), q = histogram(sampled, edges);
  if (!q) return std::nullopt;
  return divergence(*p, *q);
}

}  // namespace logpx
