#include "libcore/families/pc/leaves/logistic_leaf.hpp"

#include "libcore/base/index.hpp"
#include "libcore/det/functions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

namespace logpx::pc {
namespace {

constexpr int newton_steps = 10, halvings = 20;
constexpr double least_scale = 0.01;  // of a bin

struct Place {
  double mu = 0, log_s = 0;
};

// A function of (mu, log s) with its first and second derivatives.
struct Expansion {
  double value = 0;
  double mu = 0, t = 0;
  double mu_mu = 0, mu_t = 0, t_t = 0;
};

class Histogram {
 public:
  explicit Histogram(std::span<const double> counts) : counts_(counts) {}

  [[nodiscard]] double log_p(std::int64_t k, double mu, double s) const {
    const double a = (static_cast<double>(k) - mu) / s, c = (static_cast<double>(k + 1) - mu) / s;
    if (k == 0) return -det_softplus(-c);
    if (k + 1 == std::ssize(counts_)) return -det_softplus(a);
    return c + det_log(-det_expm1(-1 / s)) - det_softplus(a) - det_softplus(c);
  }
  [[nodiscard]] double value(const Place& at_) const {
    const double s = det_exp(at_.log_s);
    double sum = 0;
    for (std::int64_t k = 0; k < std::ssize(counts_); ++k)
      if (counts_[at(k)] > 0) sum += counts_[at(k)] * log_p(k, at_.mu, s);
    return sum;
  }
  [[nodiscard]] Expansion expand(const Place& at_) const {
    const double s = det_exp(at_.log_s);
    Expansion sum;
    for (std::int64_t k = 0; k < std::ssize(counts_); ++k)
      if (counts_[at(k)] > 0) add(k, at_.mu, s, sum);
    return sum;
  }

 private:
  // With a and c = a + d the ends of the bin in units of s, d = 1/s: u and w are the slopes of
  // log p by a and d.
  void add(std::int64_t k, double mu, double s, Expansion& sum) const {
    const double n = counts_[at(k)], d = 1 / s;
    const double a = (static_cast<double>(k) - mu) / s, c = a + d;
    const double low = det_sigmoid(a), high = det_sigmoid(c);
    double u = 1 - low - high, u_a = -low * (1 - low) - high * (1 - high), u_d = -high * (1 - high);
    double w = 0, w_d = 0, end = a;
    if (k == 0) {  // -softplus(-c)
      u = 1 - high, u_a = u_d, u_d = 0, end = c;
    } else if (k + 1 == std::ssize(counts_)) {  // -softplus(a)
      u = -low, u_a = -low * (1 - low), u_d = 0;
    } else {
      const double r = 1 / det_expm1(d);
      w = 1 + r - high, w_d = -r * (1 + r) + u_d;
    }
    const double along = u_a * -end + u_d * -d;   // of u, by log s
    const double turned = u_d * -end + w_d * -d;  // of w, by log s
    sum.value += n * log_p(k, mu, s);
    sum.mu -= n * u / s;
    sum.t -= n * (end * u + d * w);
    sum.mu_mu += n * u_a / (s * s);
    sum.mu_t += n * (u - along) / s;
    sum.t_t -= n * (-end * u + end * along - d * w + d * turned);
  }

  std::span<const double> counts_;
};

// Newton's step where the function is concave, else one along the slope.
Place step_of(const Expansion& f) {
  const double det = f.mu_mu * f.t_t - f.mu_t * f.mu_t;
  if (f.mu_mu < 0 && det > 0)
    return {(-f.mu * f.t_t + f.t * f.mu_t) / det, (f.mu * f.mu_t - f.t * f.mu_mu) / det};
  const double steep = std::max(std::abs(f.mu), std::abs(f.t));
  return steep > 0 ? Place{f.mu / steep, f.t / steep} : Place{};
}

}  // namespace

void LogisticLeaf::log_p(std::span<const double> q, std::span<const double> values,
                         std::span<double> nats) const {
  const double mu = q[0], s = q[1], inside = det_log(-det_expm1(-1 / s));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double a = (values[i] - mu) / s, c = (values[i] + 1 - mu) / s;
    if (values[i] == 0) nats[i] = -det_softplus(-c);
    else if (values[i] + 1 == static_cast<double>(categories_)) nats[i] = -det_softplus(a);
    else nats[i] = c + inside - det_softplus(a) - det_softplus(c);
  }
}

void LogisticLeaf::add_statistics(double value, double weight, std::span<double> sums) const {
  sums[static_cast<std::size_t>(value)] += weight;
}

double LogisticLeaf::weight(std::span<const double> sums) const {
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

// Starts from moments of the middles of bins, which are right if the end bins are empty, or from
// the present parameters where those fit better.
void LogisticLeaf::maximise(std::span<const double> sums, const LeafData&,
                            std::span<double> q) const {
  const double least = det_log(least_scale), most = det_log(10 * static_cast<double>(categories_)),
               far = 10 * static_cast<double>(categories_);
  const auto limited = [&](Place to) {
    return Place{std::clamp(to.mu, -far, far), std::clamp(to.log_s, least, most)};
  };
  const double total = weight(sums);
  double mean = 0, squares = 0;
  for (std::size_t k = 0; k < sums.size(); ++k) {
    const double middle = static_cast<double>(k) + 0.5;
    mean += sums[k] / total * middle, squares += sums[k] / total * middle * middle;
  }
  const double variance = std::max(squares - mean * mean, least_scale * least_scale);
  const Histogram f(sums);
  const Place before{q[0], det_log(q[1])};
  Place here = limited({mean, det_log(std::sqrt(3 * variance) / std::numbers::pi)});
  double best = f.value(here);
  if (const double old = f.value(before); old > best) here = before, best = old;
  for (int step = 0; step < newton_steps; ++step) {
    Place move = step_of(f.expand(here));
    bool better = false;
    for (int half = 0; half < halvings && !better; ++half, move.mu /= 2, move.log_s /= 2) {
      const Place next = limited({here.mu + move.mu, here.log_s + move.log_s});
      const double value = f.value(next);
      if (!(value > best)) continue;
      better = true;
      here = next, best = value;
    }
    if (!better) break;
  }
  q[0] = here.mu, q[1] = det_exp(here.log_s);
}

void LogisticLeaf::draw(const LeafData& data, double normal, std::span<double> q) const {
  const double deviation = std::max(data.deviation, 0.5);
  q[0] = data.mean + 0.5 + deviation * normal;
  q[1] = deviation * std::numbers::sqrt3 / std::numbers::pi;
}

double LogisticLeaf::mode(std::span<const double> q) const {
  const auto last = static_cast<double>(categories_ - 1);
  const std::array<double, 3> values = {0, std::clamp(std::floor(q[0]), 0.0, last), last};
  std::array<double, 3> nats{};
  log_p(q, values, nats);
  return values[at(std::ranges::max_element(nats) - nats.begin())];
}

double LogisticLeaf::mean(std::span<const double> q) const {
  std::vector<double> p(at(categories_));
  fill_table(*this, q, p);
  double mean = 0;
  for (std::size_t k = 0; k < p.size(); ++k) mean += static_cast<double>(k) * p[k];
  return mean;
}

std::string LogisticLeaf::fault(std::span<const double> q) const {
  if (!std::isfinite(q[0])) return "holds a mean that is not finite";
  return std::isfinite(q[1]) && q[1] > 0 ? "" : "holds a scale that is not above 0";
}

}  // namespace logpx::pc
