#include "libcore/families/pc/leaves/leaf.hpp"

#include "libcore/base/index.hpp"
#include "libcore/det/functions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

namespace logpx::pc {
namespace {

constexpr double least_p = 1e-6;             // of either outcome
constexpr double smallest_deviation = 1e-6;  // for constant variables

double ratio(double part, double whole) { return std::clamp(part / whole, least_p, 1 - least_p); }

// The number of successes in n trials; a coin where n is 1.
class Binomial final : public Leaf {
 public:
  explicit Binomial(std::int64_t n) : n_(static_cast<double>(n)), log_choices_(at(n + 1)) {
    for (std::int64_t x = 1; x <= n; ++x)
      log_choices_[at(x)] = log_choices_[at(x - 1)] + det_log(static_cast<double>(n - x + 1)) -
                            det_log(static_cast<double>(x));
  }
  [[nodiscard]] std::int64_t parameters() const override { return 1; }
  [[nodiscard]] std::int64_t statistics() const override { return 2; }

  void log_p(std::span<const double> q, std::span<const double> values,
             std::span<double> nats) const override {
    const double yes = det_log(q[0]), no = det_log1p(-q[0]);
    for (std::size_t i = 0; i < values.size(); ++i)
      nats[i] = log_choices_[static_cast<std::size_t>(values[i])] + values[i] * yes +
                (n_ - values[i]) * no;
  }
  void add_statistics(std::span<const double>, double value, double weight,
                      std::span<double> sums) const override {
    sums[0] += weight;
    sums[1] += weight * value;
  }
  void maximise(std::span<const double> sums, const LeafData&, std::span<double> q) const override {
    q[0] = ratio(sums[1], n_ * sums[0]);
  }
  void draw(const LeafData& data, double normal, std::span<double> q) const override {
    const double p = ratio(data.mean, n_);
    q[0] = ratio(det_sigmoid(det_log(p / (1 - p)) + normal), 1);
  }
  [[nodiscard]] double mode(std::span<const double> q) const override {
    return std::min(n_, std::floor((n_ + 1) * q[0]));
  }
  [[nodiscard]] double mean(std::span<const double> q) const override { return n_ * q[0]; }
  void temper(double temperature, std::span<double> q) const override {
    const double yes = std::pow(q[0], 1 / temperature), no = std::pow(1 - q[0], 1 / temperature);
    q[0] = yes / (yes + no);
  }
  [[nodiscard]] std::string fault(std::span<const double> q) const override {
    return q[0] > 0 && q[0] < 1 ? "" : "holds a probability that is not between 0 and 1";
  }

 private:
  double n_;
  std::vector<double> log_choices_;
};

// Mean and deviation.
class Gaussian final : public Leaf {
 public:
  [[nodiscard]] std::int64_t parameters() const override { return 2; }
  [[nodiscard]] std::int64_t statistics() const override { return 3; }

  void log_p(std::span<const double> q, std::span<const double> values,
             std::span<double> nats) const override {
    static const double of_unit = det_log(2 * std::numbers::pi) / 2;
    const double constant = -det_log(q[1]) - of_unit;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double z = (values[i] - q[0]) / q[1];
      nats[i] = constant - z * z / 2;
    }
  }
  void add_statistics(std::span<const double>, double value, double weight,
                      std::span<double> sums) const override {
    sums[0] += weight;
    sums[1] += weight * value;
    sums[2] += weight * value * value;
  }
  void maximise(std::span<const double> sums, const LeafData& data,
                std::span<double> q) const override {
    q[0] = sums[1] / sums[0];
    const double variance = sums[2] / sums[0] - q[0] * q[0];
    q[1] = std::max(std::sqrt(std::max(variance, 0.0)), least_deviation * data.deviation);
  }
  void draw(const LeafData& data, double normal, std::span<double> q) const override {
    q[0] = data.mean + data.deviation * normal;
    q[1] = data.deviation;
  }
  [[nodiscard]] double mode(std::span<const double> q) const override { return q[0]; }
  [[nodiscard]] double mean(std::span<const double> q) const override { return q[0]; }
  void temper(double temperature, std::span<double> q) const override {
    q[1] *= std::sqrt(temperature);
  }
  [[nodiscard]] double value_at(std::span<const double> q, double deviations) const override {
    return q[0] + q[1] * deviations;
  }
  [[nodiscard]] std::string fault(std::span<const double> q) const override {
    if (!std::isfinite(q[0])) return "holds a mean that is not finite";
    return std::isfinite(q[1]) && q[1] > 0 ? "" : "holds a deviation that is not above 0";
  }
};

}  // namespace

const char* word_of(LeafKind kind) {
  switch (kind) {
    case LeafKind::table: break;
    case LeafKind::bernoulli: return "bernoulli";
    case LeafKind::binomial: return "binomial";
    case LeafKind::gaussian: return "gaussian";
    case LeafKind::dlogistic: return "dlogistic";
    case LeafKind::dgaussian: return "dgaussian";
  }
  return "categorical";
}

std::unique_ptr<Leaf> make_leaf(LeafKind kind, std::int64_t categories) {
  switch (kind) {
    case LeafKind::table: break;
    case LeafKind::bernoulli:
    case LeafKind::binomial: return std::make_unique<Binomial>(categories - 1);
    case LeafKind::gaussian: return std::make_unique<Gaussian>();
    case LeafKind::dlogistic: return std::make_unique<LogisticLeaf>(categories);
    case LeafKind::dgaussian: return std::make_unique<WholeGaussian>();
  }
  return nullptr;
}

std::string leaf_needs(LeafKind kind, std::int64_t categories) {
  switch (kind) {
    case LeafKind::gaussian: return categories == 0 ? "" : "real numbers";
    case LeafKind::dgaussian: return categories == 0 ? "" : "whole numbers without limits";
    case LeafKind::bernoulli: return categories == 2 ? "" : "two categories";
    case LeafKind::binomial:
    case LeafKind::dlogistic: return categories >= 2 ? "" : "whole numbers from 0 on";
    case LeafKind::table: break;
  }
  return categories >= 1 ? "" : "categories";
}

LeafData moments_of_reals(std::span<const double> seen) {
  LeafData data;
  const double rows = seen[0];
  if (rows > 0) data.mean = seen[1] / rows;
  if (rows > 0) data.deviation = std::sqrt(std::max(seen[2] / rows - data.mean * data.mean, 0.0));
  data.deviation = std::max(data.deviation, smallest_deviation);
  return data;
}

LeafData leaf_data(const Leaf& leaf, std::span<const double> seen, std::int64_t categories,
                   Spread spread) {
  std::vector<double> counts(seen.begin(), seen.end());
  if (categories == 0) {
    LeafData data = moments_of_reals(seen);
    data.statistics = {1, data.mean, data.deviation * data.deviation + data.mean * data.mean};
    return data;
  }
  double rows = 0, sum = 0, squares = 0;
  for (std::int64_t k = 0; k < categories; ++k) {
    const auto value = static_cast<double>(k);
    rows += counts[at(k)], sum += counts[at(k)] * value, squares += counts[at(k)] * value * value;
  }
  LeafData data = moments_of_reals(std::array{rows, sum, squares});
  data.statistics.resize(at(leaf.statistics()));
  if (spread == Spread::evenly || !(rows > 0)) std::ranges::fill(counts, 1.0);
  const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
  for (std::int64_t k = 0; k < categories; ++k)
    leaf.add_statistics({}, static_cast<double>(k), counts[at(k)] / total, data.statistics);
  return data;
}

void fill_table(const Leaf& leaf, std::span<const double> q, std::span<double> p) {
  std::vector<double> values(p.size());
  std::iota(values.begin(), values.end(), 0.0);
  leaf.log_p(q, values, p);
  for (double& nats : p) nats = det_exp(nats);
}

template <typename T>
std::vector<double> tables_of(const Leaf& leaf, const T* parameters, std::int64_t nodes,
                              std::int64_t categories) {
  std::vector<double> tables(at(nodes * categories)), q(at(leaf.parameters()));
  for (std::int64_t j = 0; j < nodes && categories > 0; ++j, parameters += q.size()) {
    std::copy_n(parameters, q.size(), q.begin());
    fill_table(leaf, q, std::span(tables).subspan(at(j * categories), at(categories)));
  }
  return tables;
}
template std::vector<double> tables_of(const Leaf&, const float*, std::int64_t, std::int64_t);
template std::vector<double> tables_of(const Leaf&, const double*, std::int64_t, std::int64_t);

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

void LogisticLeaf::add_statistics(std::span<const double>, double value, double weight,
                                  std::span<double> sums) const {
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
