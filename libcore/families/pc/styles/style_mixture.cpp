#include "libcore/families/pc/styles/style_mixture.hpp"

#include "libcore/base/index.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/det/functions.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

namespace logpx::pc {

StyleChoice::StyleChoice(const PassPlan& plan, std::span<const float> theta)
    : styles_(at(plan.circuit().styles)) {
  const auto log_of = [](float p) {
    return p > 0 ? det_log(static_cast<double>(p)) : -std::numeric_limits<double>::infinity();
  };
  const auto values = at(plan.circuit().variables[0].categories);
  const float* const prior = theta.data() + plan.style_prior().begin;
  const float* const p = theta.data() + plan.style_values().begin;
  for (std::size_t s = 0; s < styles_; ++s) log_prior_.push_back(log_of(prior[s]));
  for (std::size_t k = 0; k < values; ++k)
    for (std::size_t s = 0; s < styles_; ++s) log_p_.push_back(log_of(p[s * values + k]));
}

std::int32_t StyleChoice::of(std::span<const std::int64_t> counts) const {
  std::vector<double> scores = log_prior_;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    if (counts[k] == 0) continue;
    const auto times = static_cast<double>(counts[k]);
    for (std::size_t s = 0; s < styles_; ++s) scores[s] += times * log_p_[k * styles_ + s];
  }
  return static_cast<std::int32_t>(std::ranges::max_element(scores) - scores.begin());
}

void StyleChoice::choose(Columns& columns) const {
  std::vector<std::int64_t> counts(log_p_.size() / styles_);
  columns.styles.clear();
  for (std::int64_t c = 0; c < columns.count; ++c) {
    std::ranges::fill(counts, 0);
    for (std::int64_t i = c; i < std::ssize(columns.x); i += columns.count)
      if (columns.x[at(i)] >= 0) ++counts[at(columns.x[at(i)])];
    columns.styles.push_back(of(counts));
  }
}

namespace {

constexpr std::int64_t most_rows = 20'000, rows_of_block = 256;
constexpr int passes = 25;
constexpr std::int64_t coarse_bins = 16;  // of values between 0 and the crowded ones
constexpr double pseudocounts = 50;       // of a coarse bin
constexpr double least_share = 1e-9;      // of a row in a style; smaller ones are dropped

// A value of a row, and how often it occurs.
struct Counted {
  std::int32_t value;
  double times;
};
using Histogram = std::vector<Counted>;

std::vector<Histogram> read_histograms(const StyleRows& from) {
  const std::int64_t count = std::min(most_rows, from.examples.rows.count);
  std::vector<Histogram> rows;
  Columns columns;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t row = i * from.examples.rows.count / count;
    from.reader.take(from.examples, std::span(&row, 1), evaluation_noise(from.reader.rules()),
                     columns);
    std::map<std::int32_t, double> times;
    for (const std::int32_t x : columns.x)
      if (x >= 0) times[x] += 1;
    Histogram& to = rows.emplace_back();
    for (const auto& [value, n] : times) to.push_back({value, n});
  }
  return rows;
}

class StyleMixture {
 public:
  StyleMixture(std::span<const double> frequencies, std::int64_t styles)
      : values_(frequencies.size()), styles_(at(styles)), pooled_(values_), bin_(values_) {
    const std::int64_t crowded = crowded_from(frequencies), values = std::ssize(frequencies);
    const std::int64_t width = std::max<std::int64_t>(1, values / coarse_bins);
    for (std::int64_t k = 1; k < values; ++k)
      bin_[at(k)] = at(k >= crowded ? 1 : 2 + (k - 1) / width);
    mass_.assign(values_ + 2, 0.0);
    const double all = std::accumulate(frequencies.begin(), frequencies.end(), 0.0);
    for (std::size_t k = 0; k < values_; ++k) {
      pooled_[k] = (frequencies[k] + 1) / (all + static_cast<double>(values));
      mass_[bin_[k]] += pooled_[k];
    }
    prior_.assign(styles_, 1 / static_cast<double>(styles));
  }

  // Every style starts from one row.
  void begin(const std::vector<Histogram>& rows, const Substream& draws) {
    DrawCursor cursor(draws);
    std::vector<double> counts(values_ * styles_);
    for (std::size_t s = 0; s < styles_; ++s)
      for (const Counted& entry : rows[cursor.below(static_cast<std::uint32_t>(rows.size()))])
        counts[at(entry.value) * styles_ + s] += entry.times;
    set_values(counts);
  }

  void improve(const std::vector<Histogram>& rows, Workers& workers) {
    const std::int64_t blocks = (std::ssize(rows) + rows_of_block - 1) / rows_of_block;
    const std::size_t numbers = (values_ + 1) * styles_;  // counts of values, and of rows
    std::vector<std::vector<double>> sums(at(blocks));
    workers.run(blocks, [&](std::int64_t b) {
      sums[at(b)].assign(numbers, 0.0);
      const std::int64_t end = std::min(std::ssize(rows), (b + 1) * rows_of_block);
      std::vector<double> shares(styles_);
      for (std::int64_t i = b * rows_of_block; i < end; ++i)
        add_row(rows[at(i)], shares, sums[at(b)]);
    });
    for (std::size_t b = 1; b < sums.size(); ++b)
      for (std::size_t i = 0; i < numbers; ++i) sums[0][i] += sums[b][i];
    for (std::size_t s = 0; s < styles_; ++s)
      prior_[s] = (sums[0][values_ * styles_ + s] + 1) /
                  static_cast<double>(std::ssize(rows) + std::ssize(prior_));
    set_values(sums[0]);
  }

  [[nodiscard]] StyleTable table() const {
    StyleTable table{prior_, std::vector<double>(styles_ * values_)};
    for (std::size_t s = 0; s < styles_; ++s)
      for (std::size_t k = 0; k < values_; ++k)
        table.values[s * values_ + k] = mass_[bin_[k]] * given_bin_[k * styles_ + s];
    return table;
  }

 private:
  void add_row(const Histogram& row, std::vector<double>& shares, std::vector<double>& sums) const {
    for (std::size_t s = 0; s < styles_; ++s) shares[s] = det_log(prior_[s]);
    for (const Counted& entry : row) {
      const double* const logs = &log_given_bin_[at(entry.value) * styles_];
      for (std::size_t s = 0; s < styles_; ++s) shares[s] += entry.times * logs[s];
    }
    const double largest = std::ranges::max(shares);
    double sum = 0;
    for (double& share : shares) sum += share = det_exp(share - largest);
    for (std::size_t s = 0; s < styles_; ++s) {
      const double share = shares[s] / sum;
      if (share < least_share) continue;
      for (const Counted& entry : row) sums[at(entry.value) * styles_ + s] += share * entry.times;
      sums[values_ * styles_ + s] += share;
    }
  }

  // p(value | bin, style); pseudocounts follow the values of all rows.
  void set_values(std::span<const double> counts) {
    given_bin_.resize(values_ * styles_);
    log_given_bin_.resize(values_ * styles_);
    std::vector<double> of_bin(mass_.size() * styles_);
    for (std::size_t k = 0; k < values_; ++k)
      for (std::size_t s = 0; s < styles_; ++s)
        of_bin[bin_[k] * styles_ + s] += counts[k * styles_ + s];
    for (std::size_t k = 0; k < values_; ++k)
      for (std::size_t s = 0; s < styles_; ++s) {
        const double usual = pseudocounts * pooled_[k] / mass_[bin_[k]];
        double& p = given_bin_[k * styles_ + s];
        p = (counts[k * styles_ + s] + usual) / (of_bin[bin_[k] * styles_ + s] + pseudocounts);
        log_given_bin_[k * styles_ + s] = det_log(p);
      }
  }

  std::size_t values_, styles_;
  std::vector<double> pooled_;    // p(value)
  std::vector<std::size_t> bin_;  // of each value
  std::vector<double> mass_;      // of each bin
  std::vector<double> prior_, given_bin_, log_given_bin_;
};

}  // namespace

std::int64_t crowded_from(std::span<const double> frequencies) {
  constexpr double crowd = 5;
  std::vector<double> above(frequencies.begin() + 1, frequencies.end());
  const auto middle = above.begin() + std::ssize(above) / 2;
  std::ranges::nth_element(above, middle);
  std::int64_t from = std::ssize(frequencies);
  while (*middle > 0 && from > 1 && frequencies[at(from - 1)] > crowd * *middle) --from;
  return from;
}

StyleTable learn_styles(const StyleRows& from, std::int64_t styles, const Substream& draws,
                        Workers& workers) {
  const std::vector<Histogram> rows = read_histograms(from);
  StyleMixture mixture(from.frequencies, styles);
  mixture.begin(rows, draws);
  for (int i = 0; i < passes; ++i) mixture.improve(rows, workers);
  return mixture.table();
}

}  // namespace logpx::pc
