#include "libcore/families/pc/leaves/joint_gaussian.hpp"

#include "libcore/base/index.hpp"
#include "libcore/det/functions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace logpx::pc {
namespace {

// Row i of a triangle begins here.
constexpr std::size_t row_at(std::int64_t i) { return at(i * (i + 1) / 2); }

// Replaces a symmetric matrix, its lower triangle row by row, by its Cholesky factor. Pivots that
// rounding makes too small become the least one of their row, and no number of a row becomes larger
// than what is left of its variance: so rounding is never amplified.
void cholesky(std::span<const double> least, std::span<double> a) {
  for (std::int64_t i = 0; i < std::ssize(least); ++i) {
    double* const row = a.data() + row_at(i);
    double left = row[i];
    for (std::int64_t j = 0; j < i; ++j) {
      const double* const other = a.data() + row_at(j);
      double sum = row[j];
      for (std::int64_t k = 0; k < j; ++k) sum -= row[k] * other[k];
      const double most = std::sqrt(std::max(left, 0.0));
      row[j] = std::clamp(sum / other[j], -most, most);
      left -= row[j] * row[j];
    }
    row[i] = std::sqrt(std::max(left, least[at(i)]));
  }
}

double half_log_two_pi() {
  static const double half = det_log(2 * std::numbers::pi) / 2;
  return half;
}

}  // namespace

SeenGaussian::SeenGaussian(std::int64_t variables, std::span<const double> q,
                           const SeenPlaces& places)
    : variables_(variables), seen_(std::ssize(places.seen)), order_(places.seen) {
  order_.insert(order_.end(), places.hidden.begin(), places.hidden.end());
  for (const std::int64_t v : order_) mean_.push_back(q[at(v)]);
  const std::span<const double> l = q.subspan(at(variables));
  if (std::ranges::is_sorted(order_)) c_.assign(l.begin(), l.end());
  else factor(l);
  for (std::int64_t i = 0; i < variables_; ++i) {
    const double log_c = det_log(c(i, i)) + half_log_two_pi();
    (i < seen_ ? log_scale_ : log_peak_) -= log_c;
  }
}

double SeenGaussian::c(std::int64_t i, std::int64_t j) const { return c_[row_at(i) + at(j)]; }

// The covariance in the new order, and its factor.
void SeenGaussian::factor(std::span<const double> l) {
  c_.resize(l.size());
  for (std::int64_t i = 0; i < variables_; ++i)
    for (std::int64_t j = 0; j <= i; ++j) {
      const std::int64_t a = order_[at(i)], b = order_[at(j)];
      double sum = 0;
      for (std::int64_t k = 0; k <= std::min(a, b); ++k)
        sum += l[row_at(a) + at(k)] * l[row_at(b) + at(k)];
      c_[row_at(i) + at(j)] = sum;
    }
  const std::vector<double> above_0(at(variables_), std::numeric_limits<double>::min());
  cholesky(above_0, c_);
}

double SeenGaussian::log_p(std::span<const double> x, std::span<double> z) const {
  double squares = 0;
  for (std::int64_t i = 0; i < variables_; ++i) {
    z[at(i)] = 0;
    if (i >= seen_) continue;
    double sum = x[at(order_[at(i)])] - mean_[at(i)];
    for (std::int64_t j = 0; j < i; ++j) sum -= c(i, j) * z[at(j)];
    z[at(i)] = sum / c(i, i);
    squares += z[at(i)] * z[at(i)];
  }
  const double nats = log_scale_ - squares / 2;
  return std::isnan(nats) ? -std::numeric_limits<double>::infinity() : nats;
}

void SeenGaussian::fill(std::span<const double> z, std::span<double> x) const {
  for (std::int64_t i = seen_; i < variables_; ++i) {
    double value = mean_[at(i)];
    for (std::int64_t j = 0; j <= i; ++j) value += c(i, j) * z[at(j)];
    x[at(order_[at(i)])] = value;
  }
}

SeenGaussian::Normal SeenGaussian::first_hidden(std::span<const double> z) const {
  double mean = mean_[at(seen_)];
  for (std::int64_t j = 0; j < seen_; ++j) mean += c(seen_, j) * z[at(j)];
  return {.mean = mean, .deviation = c(seen_, seen_)};
}

// With P the inverse of the covariance of seen variables and r = P (x - mean), x_v given the others
// has the variance 1 / P_vv and the mean x_v - r_v / P_vv.
void SeenGaussian::given_rest(std::span<const double> x, std::span<const double> z,
                              std::span<Normal> rest, Normal first) const {
  std::vector<double> column(at(seen_));  // of A^-1
  for (std::int64_t v = 0; v < seen_; ++v) {
    double precision = 0, pull = 0;
    for (std::int64_t i = v; i < seen_; ++i) {
      double sum = i == v ? 1 : 0;
      for (std::int64_t j = v; j < i; ++j) sum -= c(i, j) * column[at(j)];
      column[at(i)] = sum / c(i, i);
      precision += column[at(i)] * column[at(i)];
      pull += column[at(i)] * z[at(i)];
    }
    const std::int64_t place = order_[at(v)];
    rest[at(place)] = {.mean = x[at(place)] - pull / precision,
                       .deviation = 1 / std::sqrt(precision)};
  }
  for (std::int64_t i = seen_; i < variables_; ++i) {
    double mean = mean_[at(i)], variance = 0;
    for (std::int64_t j = 0; j < seen_; ++j) mean += c(i, j) * z[at(j)];
    mean += c(i, seen_) * first.mean;
    for (std::int64_t j = seen_; j <= i; ++j) {
      const double own = c(i, j) * (j == seen_ ? first.deviation : 1);
      variance += own * own;
    }
    rest[at(order_[at(i)])] = {.mean = mean, .deviation = std::sqrt(variance)};
  }
}

void SeenGaussian::add_row(std::span<const double> x, std::span<const double> centre, double weight,
                           std::span<double> sums) const {
  sums[0] += weight;
  double* square = sums.data() + 1 + variables_;
  for (std::int64_t i = 0; i < variables_; ++i) {
    const double own = weight * (x[at(i)] - centre[at(i)]);
    sums[at(1 + i)] += own;
    for (std::int64_t j = 0; j <= i; ++j) *square++ += own * (x[at(j)] - centre[at(j)]);
  }
}

void SeenGaussian::add_spread(double weight, std::span<double> sums) const {
  for (std::int64_t i = seen_; i < variables_; ++i)
    for (std::int64_t j = seen_; j <= i; ++j) {
      double covariance = 0;
      for (std::int64_t k = seen_; k <= j; ++k) covariance += c(i, k) * c(j, k);
      const auto [less, more] = std::minmax(order_[at(i)], order_[at(j)]);
      sums[at(1 + variables_) + row_at(more) + at(less)] += weight * covariance;
    }
}

namespace {

// Sums of squares around a mean, which counts from the centre of the statistics.
std::vector<double> scatter(const JointForm& form, std::span<const double> sums,
                            std::span<const double> mean) {
  const std::int64_t d = form.variables;
  std::vector<double> s(at(form.triangle()));
  for (std::int64_t i = 0; i < d; ++i)
    for (std::int64_t j = 0; j <= i; ++j)
      s[row_at(i) + at(j)] = sums[at(1 + d) + row_at(i) + at(j)] - mean[at(i)] * sums[at(1 + j)] -
                             sums[at(1 + i)] * mean[at(j)] + sums[0] * mean[at(i)] * mean[at(j)];
  return s;
}

}  // namespace

void maximise_joint(const JointForm& form, const JointStep& step, const JointData& data,
                    std::span<const double> sums, std::span<double> q) {
  const std::size_t each = at(form.parameters()), counts = at(form.statistics()),
                    nodes = q.size() / each;
  const std::int64_t d = form.variables;
  std::vector<std::vector<double>> means(nodes), scatters(nodes);
  std::vector<double> pool(at(form.triangle()));
  double rows = 0;
  const auto centre = [&](std::size_t v) { return data.centre.empty() ? 0 : data.centre[v]; };
  for (std::size_t n = 0; n < nodes; ++n) {
    const std::span<const double> own = sums.subspan(n * counts, counts);
    rows += own[0];
    if (!(own[0] + step.pseudocount > 0)) continue;
    for (std::int64_t v = 0; v < d; ++v)
      means[n].push_back((own[at(1 + v)] + step.pseudocount * (data.mean[at(v)] - centre(at(v)))) /
                         (own[0] + step.pseudocount));
    scatters[n] = scatter(form, own, means[n]);
    for (std::size_t k = 0; k < pool.size(); ++k) pool[k] += scatters[n][k];
  }
  const double pooled = rows > 0 ? step.pooled : 0;
  // What is seen of a variable once others are known is at least its floor, but for rounding.
  std::vector<double> floors, least;
  for (const double one : data.least) {
    floors.push_back(one * one);
    least.push_back(one * one / 4);
  }
  for (std::size_t n = 0; n < nodes; ++n) {
    const double weight = sums[n * counts] + pooled;
    if (means[n].empty() || !(weight > 0)) continue;
    std::vector<double>& l = scatters[n];
    for (std::size_t k = 0; k < l.size(); ++k)
      l[k] = (l[k] + (pooled > 0 ? pooled * pool[k] / rows : 0)) / weight;
    for (std::int64_t v = 0; v < d; ++v)
      l[row_at(v) + at(v)] = std::max(l[row_at(v) + at(v)], 0.0) + floors[at(v)];
    cholesky(least, l);
    const std::span<double> to = q.subspan(n * each, each);
    for (std::size_t k = 0; k < each; ++k)
      to[k] = (1 - step.rate) * to[k] +
              step.rate * (k < at(d) ? centre(k) + means[n][k] : l[k - at(d)]);
  }
}

void add_node(const JointForm& form, std::span<const double> q, std::span<const double> centre,
              double weight, std::span<double> sums) {
  SeenPlaces none;
  for (std::int64_t v = 0; v < form.variables; ++v) none.hidden.push_back(v);
  const SeenGaussian node(form.variables, q, none);
  node.add_row(q.first(at(form.variables)), centre, weight, sums);
  node.add_spread(weight, sums);
}

void place_joint(const JointForm& form, const JointData& data, std::span<const double> x,
                 double factor, std::span<double> q) {
  std::ranges::fill(q, 0.0);
  std::ranges::copy(x, q.begin());
  for (std::int64_t v = 0; v < form.variables; ++v)
    q[at(form.variables) + row_at(v) + at(v)] =
        factor * std::max(data.deviation[at(v)], data.least[at(v)]);
}

void temper_joint(const JointForm& form, double temperature, std::span<double> q) {
  for (std::size_t k = 0; k < q.size(); ++k)
    if (k % at(form.parameters()) >= at(form.variables)) q[k] *= std::sqrt(temperature);
}

std::string joint_fault(const JointForm& form, std::span<const double> q) {
  if (!std::ranges::all_of(q, [](double one) { return std::isfinite(one); }))
    return "holds a number that is not finite";
  for (std::int64_t v = 0; v < form.variables; ++v)
    if (!(q[at(form.variables) + row_at(v) + at(v)] > 0))
      return "holds a deviation that is not above 0";
  return "";
}

}  // namespace logpx::pc
