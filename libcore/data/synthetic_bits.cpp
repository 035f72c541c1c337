// Generators 8, 9, 10 and 12: bars, parity, bernoulli-mix, even.   [data/README 4.6]
#include "libcore/base/error.hpp"
#include "libcore/data/generator.hpp"
#include "libcore/det/functions.hpp"

#include <limits>
#include <numbers>

namespace logpx {
namespace {

using std::numbers::ln2;
constexpr double log_zero = -std::numeric_limits<double>::infinity();

// x ln x, and its limit at 0.
double x_log_x(double x) { return x > 0 ? x * det_log(x) : 0.0; }

double power_of_half(std::int64_t exponent) {
  return det_exp(-static_cast<double>(exponent) * ln2);
}

// A fair choice of orientation, then each of the D lines on with probability 1/2. All-off and
// all-on arise in both orientations, every other picture in one.
class Bars final : public Generator {
 public:
  explicit Bars(const SyntheticOptions& options) : side_(static_cast<std::size_t>(*options.size)) {
    info_ = discrete_info(Content::image, {*options.size, *options.size, 1}, 2);
    info_.has_true_logp = true;
    const auto lines = static_cast<double>(side_);
    info_.entropy_nats = (lines + 1) * ln2 - power_of_half(*options.size - 1) * ln2;
  }

  void make(ExampleDraws& draws, Example& example) const override {
    const bool rows = draws.uniform() < 0.5;
    for (std::size_t line = 0; line < side_; ++line) {
      const std::uint8_t on = draws.uniform() < 0.5;
      for (std::size_t k = 0; k < side_; ++k)
        example.bytes[rows ? line * side_ + k : k * side_ + line] = on;
    }
  }

  [[nodiscard]] double log_p(const Example& example) const override {
    bool as_rows = true, as_columns = true;
    for (std::size_t i = 0; i < side_; ++i)
      for (std::size_t j = 0; j < side_; ++j) {
        const std::uint8_t pixel = example.bytes[i * side_ + j];
        as_rows = as_rows && pixel == example.bytes[i * side_];
        as_columns = as_columns && pixel == example.bytes[j];
      }
    if (!as_rows && !as_columns) return log_zero;
    return (as_rows && as_columns ? 0.0 : -ln2) - static_cast<double>(side_) * ln2;
  }

 private:
  std::size_t side_;
};

// D-1 fair bits and their parity, which is flipped with probability `noise`.
class Parity final : public Generator {
 public:
  explicit Parity(const SyntheticOptions& options) : noise_(*options.noise) {
    if (noise_ > 1) refuse_option("noise", "above 1", "a probability");
    info_ = discrete_info(Content::symbols, {*options.dim}, 2);
    info_.alphabet = {'0', '1'};
    info_.has_true_logp = true;
    log_free_ = -static_cast<double>(*options.dim - 1) * ln2;
    info_.entropy_nats = -log_free_ - x_log_x(noise_) - x_log_x(1 - noise_);
  }

  void make(ExampleDraws& draws, Example& example) const override {
    std::uint8_t parity = 0;
    for (std::uint8_t& bit : example.bytes.first(example.bytes.size() - 1)) {
      bit = draws.uniform() < 0.5;
      parity ^= bit;
    }
    const bool flipped = draws.uniform() < noise_;
    example.bytes.back() = parity ^ static_cast<std::uint8_t>(flipped);
  }

  [[nodiscard]] double log_p(const Example& example) const override {
    std::uint8_t parity = 0;
    for (const std::uint8_t bit : example.bytes) parity ^= bit;
    const double p = parity == 0 ? 1 - noise_ : noise_;
    return p > 0 ? log_free_ + det_log(p) : log_zero;
  }

 private:
  double noise_, log_free_;
};

// Weights and means from structure uniforms, the means pushed to 0 or 1: u^B / (u^B + (1-u)^B).
class BernoulliMix final : public Generator {
 public:
  BernoulliMix(const SyntheticOptions& options, DrawCursor structure)
      : components_(static_cast<std::size_t>(*options.components)),
        dim_(static_cast<std::size_t>(*options.dim)),
        enumerate_(options.enumerate) {
    info_ = discrete_info(Content::symbols, {*options.dim}, 2);
    info_.alphabet = {'0', '1'};
    info_.has_labels = !enumerate_;
    info_.has_true_logp = true;
    double total = 0;
    for (std::size_t k = 0; k < components_; ++k) {
      total += structure.uniform();
      cumulative_.push_back(total);
    }
    for (std::size_t k = 0; k < components_ * dim_; ++k) {
      const double u = structure.uniform();
      const double on = det_exp(*options.beta * det_log(u));
      const double off = det_exp(*options.beta * det_log(1 - u));
      means_.push_back(on / (on + off));
      log_on_.push_back(det_log(means_.back()));
      log_off_.push_back(det_log(off / (on + off)));
    }
    if (dim_ <= most_enumerated) info_.entropy_nats = entropy(0, weights());
    if (enumerate_ && dim_ > most_enumerated)
      fail(ErrorKind::usage, "", "--enumerate needs --dim of at most 20");
    if (enumerate_) fixed_n_ = std::int64_t{1} << dim_;
  }

  void make(ExampleDraws& draws, Example& example) const override {
    if (enumerate_) {
      for (std::size_t j = 0; j < dim_; ++j) example.bytes[j] = draws.index() >> (dim_ - 1 - j) & 1;
      return;
    }
    const std::size_t k = draws.categorical(cumulative_);
    for (std::size_t j = 0; j < dim_; ++j)
      example.bytes[j] = draws.uniform() < means_[k * dim_ + j];
    example.label = static_cast<std::int32_t>(k);
  }

  [[nodiscard]] double log_p(const Example& example) const override {
    std::vector<double> logs(components_);
    double greatest = log_zero, sum = 0;
    for (std::size_t k = 0; k < components_; ++k) {
      for (std::size_t j = 0; j < dim_; ++j)
        logs[k] += (example.bytes[j] ? log_on_ : log_off_)[k * dim_ + j];
      greatest = std::max(greatest, logs[k]);
    }
    const std::vector<double> weight = weights();
    for (std::size_t k = 0; k < components_; ++k) sum += weight[k] * det_exp(logs[k] - greatest);
    return greatest + det_log(sum);
  }

 private:
  static constexpr std::size_t most_enumerated = 20;

  [[nodiscard]] std::vector<double> weights() const {
    std::vector<double> weight(components_);
    for (std::size_t k = 0; k < components_; ++k)
      weight[k] = (cumulative_[k] - (k ? cumulative_[k - 1] : 0)) / cumulative_.back();
    return weight;
  }

  // Sum of -p ln p over all completions of a prefix with these joint probabilities per component.
  [[nodiscard]] double entropy(std::size_t depth, const std::vector<double>& joint) const {
    if (depth == dim_) {
      double p = 0;
      for (const double part : joint) p += part;
      return -x_log_x(p);
    }
    std::vector<double> off(components_), on(components_);
    for (std::size_t k = 0; k < components_; ++k) {
      on[k] = joint[k] * means_[k * dim_ + depth];
      off[k] = joint[k] * (1 - means_[k * dim_ + depth]);
    }
    return entropy(depth + 1, off) + entropy(depth + 1, on);
  }

  std::size_t components_, dim_;
  bool enumerate_;
  std::vector<double> cumulative_, means_, log_on_, log_off_;  // the last three [components, dim]
};

// Two symbols, each uniform on the even values of 0..254: 7 bits a dimension, all in the parity.
class Even final : public Generator {
 public:
  Even() {
    info_ = discrete_info(Content::symbols, {2}, 256);
    info_.has_true_logp = true;
    info_.entropy_nats = 14 * ln2;
  }

  void make(ExampleDraws& draws, Example& example) const override {
    for (std::uint8_t& symbol : example.bytes)
      symbol = static_cast<std::uint8_t>(2 * draws.below(128));
  }

  [[nodiscard]] double log_p(const Example& example) const override {
    return (example.bytes[0] | example.bytes[1]) % 2 == 0 ? -14 * ln2 : log_zero;
  }
};

}  // namespace

std::unique_ptr<Generator> make_bars(const SyntheticOptions& options, std::uint32_t) {
  return std::make_unique<Bars>(options);
}
std::unique_ptr<Generator> make_parity(const SyntheticOptions& options, std::uint32_t) {
  return std::make_unique<Parity>(options);
}
std::unique_ptr<Generator> make_bernoulli_mix(const SyntheticOptions& options,
                                              std::uint32_t number) {
  return std::make_unique<BernoulliMix>(options, structure_draws(options, number));
}
std::unique_ptr<Generator> make_even(const SyntheticOptions&, std::uint32_t) {
  return std::make_unique<Even>();
}

}  // namespace logpx
