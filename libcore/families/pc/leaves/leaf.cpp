#include "libcore/families/pc/leaves/leaf.hpp"

#include "libcore/base/index.hpp"
#include "libcore/det/functions.hpp"
#include "libcore/families/pc/leaves/logistic_leaf.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace logpx::pc {
namespace {

constexpr double least_p = 1e-6;             // of either outcome
constexpr double least_deviation = 0.01;     // of a gaussian, in the data's deviations
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
  void add_statistics(double value, double weight, std::span<double> sums) const override {
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
  void add_statistics(double value, double weight, std::span<double> sums) const override {
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

std::unique_ptr<Leaf> make_leaf(LeafKind kind, std::int64_t categories) {
  switch (kind) {
    case LeafKind::table: break;
    case LeafKind::bernoulli:
    case LeafKind::binomial: return std::make_unique<Binomial>(categories - 1);
    case LeafKind::gaussian: return std::make_unique<Gaussian>();
    case LeafKind::dlogistic: return std::make_unique<LogisticLeaf>(categories);
  }
  return nullptr;
}

std::string leaf_needs(LeafKind kind, std::int64_t categories) {
  switch (kind) {
    case LeafKind::gaussian: return categories == 0 ? "" : "real numbers";
    case LeafKind::bernoulli: return categories == 2 ? "" : "two categories";
    case LeafKind::binomial:
    case LeafKind::dlogistic: return categories >= 2 ? "" : "whole numbers from 0 on";
    case LeafKind::table: break;
  }
  return categories >= 1 ? "" : "categories";
}

LeafData leaf_data(const Leaf& leaf, std::span<const double> seen, std::int64_t categories,
                   Spread spread) {
  std::vector<double> counts(seen.begin(), seen.end());
  double rows = 0, sum = 0, squares = 0;
  if (categories == 0) rows = seen[0], sum = seen[1], squares = seen[2];
  for (std::int64_t k = 0; k < categories; ++k) {
    const auto value = static_cast<double>(k);
    rows += counts[at(k)], sum += counts[at(k)] * value, squares += counts[at(k)] * value * value;
  }
  LeafData data;
  if (rows > 0) data.mean = sum / rows;
  if (rows > 0) data.deviation = std::sqrt(std::max(squares / rows - data.mean * data.mean, 0.0));
  data.deviation = std::max(data.deviation, smallest_deviation);
  data.statistics.resize(at(leaf.statistics()));
  if (categories == 0) {
    data.statistics = {1, data.mean, data.deviation * data.deviation + data.mean * data.mean};
    return data;
  }
  if (spread == Spread::evenly || !(rows > 0)) std::ranges::fill(counts, 1.0);
  const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
  for (std::int64_t k = 0; k < categories; ++k)
    leaf.add_statistics(static_cast<double>(k), counts[at(k)] / total, data.statistics);
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

}  // namespace logpx::pc
