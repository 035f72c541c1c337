#include "libcore/families/arm/sampling/nucleus.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace logpx::arm {
namespace {

constexpr double slack = 1e-12;

}  // namespace

void keep_nucleus(std::span<double> p, double top_p) {
  if (top_p >= 1) return;
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return p[a] > p[b]; });
  double sum = 0;
  std::size_t kept = 0;
  while (kept < order.size() && (kept == 0 || sum < top_p - slack)) sum += p[order[kept++]];
  for (std::size_t i = 0; i < order.size(); ++i) p[order[i]] = i < kept ? p[order[i]] / sum : 0;
}

void tempered(std::span<const double> logits, double temperature, std::span<double> p) {
  const auto largest = std::ranges::max_element(logits);
  if (temperature == 0) {
    std::ranges::fill(p, 0.0);
    p[static_cast<std::size_t>(largest - logits.begin())] = 1;
    return;
  }
  double sum = 0;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    p[i] = logits[i] == -std::numeric_limits<double>::infinity()
               ? 0
               : std::exp((logits[i] - *largest) / temperature);
    sum += p[i];
  }
  for (double& value : p) value /= sum;
}

}  // namespace logpx::arm
