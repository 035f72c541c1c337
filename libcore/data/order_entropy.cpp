#include "libcore/data/order_entropy.hpp"

#include "libcore/base/index.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace logpx {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

// From 1; equal values have the mean of theirs.
std::vector<double> ranks_of(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return values[i]; });
  std::vector<double> ranks(values.size());
  for (std::size_t first = 0, last = 0; first < order.size(); first = last) {
    while (last < order.size() && values[order[last]] == values[order[first]]) ++last;
    const double rank = static_cast<double>(first + last + 1) / 2;
    for (std::size_t i = first; i < last; ++i) ranks[order[i]] = rank;
  }
  return ranks;
}

struct Moments {
  double sum = 0, squares = 0, count = 0;
  void add(double value) { sum += value, squares += value * value, ++count; }
  [[nodiscard]] double mean() const { return count > 0 ? sum / count : none; }
  [[nodiscard]] double std_error() const {
    if (count < 2) return none;
    const double centred = squares - sum * sum / count;
    return std::sqrt(std::max(centred, 0.0) / (count - 1) / count);
  }
};

// The dims of one step that were open to the policy; none where it had no choice.
struct OpenDims {
  std::vector<double> policy, entropies;
};
OpenDims open_dims(std::span<const float> policy, std::span<const float> entropies) {
  OpenDims open;
  for (std::size_t k = 0; k < policy.size(); ++k) {
    if (policy[k] <= 0) continue;
    open.policy.push_back(static_cast<double>(policy[k]));
    open.entropies.push_back(static_cast<double>(entropies[k]));
  }
  if (open.policy.size() < 2) return {};
  for (double& p : open.policy) p *= static_cast<double>(open.entropies.size());
  return open;
}

}  // namespace

double spearman_rho(std::span<const double> a, std::span<const double> b) {
  const std::vector<double> left = ranks_of(a), right = ranks_of(b);
  const double middle = (static_cast<double>(a.size()) + 1) / 2;
  double both = 0, of_left = 0, of_right = 0;
  for (std::size_t i = 0; i < left.size(); ++i) {
    both += (left[i] - middle) * (right[i] - middle);
    of_left += (left[i] - middle) * (left[i] - middle);
    of_right += (right[i] - middle) * (right[i] - middle);
  }
  return of_left > 0 && of_right > 0 ? both / std::sqrt(of_left * of_right) : none;
}

PolicyByEntropy policy_by_entropy(std::int64_t dims, const ValueOrders& orders,
                                  std::span<const float> entropies) {
  PolicyByEntropy told;
  Moments all, rows;
  for (std::int64_t row = 0; row < orders.count; ++row) {
    Moments own;
    for (std::int64_t step = 0; step < dims; ++step) {
      const std::int64_t place = row * dims + step;
      if (orders.order[at(place)] < 0) break;
      const auto part = [&](std::span<const float> whole) {
        return whole.subspan(at(place * dims), at(dims));
      };
      const OpenDims open = open_dims(part(orders.policy), part(entropies));
      if (open.policy.empty()) continue;
      ++told.steps;
      if (const double rho = spearman_rho(open.policy, open.entropies); std::isfinite(rho))
        all.add(rho), own.add(rho);
      told.policy.insert(told.policy.end(), open.policy.begin(), open.policy.end());
      told.entropies.insert(told.entropies.end(), open.entropies.begin(), open.entropies.end());
    }
    if (own.count > 0) rows.add(own.mean());
  }
  told.rho = all.mean();
  told.std_error = rows.std_error();
  told.pooled = spearman_rho(told.policy, told.entropies);
  return told;
}

}  // namespace logpx
