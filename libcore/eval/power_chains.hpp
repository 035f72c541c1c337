// Chains that go up the temperatures of power posteriors, and the moments of their samples of
// l = log p(x|z).   [KAEM eqs. 29-32; eval/README 4]
#pragma once

#include "libcore/eval/evidence.hpp"
#include "libcore/eval/log_weights.hpp"
#include "libcore/math/hmc.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace logpx {

// Whether Markov chains have mixed: R-hat over halves of chains, so that a chain that drifts counts
// like two that disagree.   [Gelman and Rubin 1992; Gelman et al.,
// Bayesian Data Analysis, 3rd ed., sec. 11.4]

// Moments of one quantity over half of a chain.
struct ChainHalf {
  double count = 0, mean = 0, variance = 0;
};
// sqrt(((n - 1) W / n + B / n) / W) with W the mean variance within the halves, B / n the variance
// of their means; at most 1000; 0 if halves have fewer than two draws.
[[nodiscard]] double split_r_hat(std::span<const ChainHalf> halves);

inline constexpr double largest_mixed_r_hat = 1.2;
[[nodiscard]] inline bool have_mixed(double r_hat) {
  return r_hat > 0 && r_hat <= largest_mixed_r_hat;
}

// The steps of t below and above a temperature; 0 at the ends.
struct StepWidths {
  double below = 0, above = 0;
};

// Moments of l over some samples at one temperature.
class PowerSums {
 public:
  void add(double l, const StepWidths& widths);
  void add(const PowerSums& others);
  [[nodiscard]] double count() const { return count_; }
  [[nodiscard]] double mean() const { return mean_; }
  [[nodiscard]] double variance() const { return count_ > 1 ? squares_ / (count_ - 1) : 0; }
  [[nodiscard]] double log_ahead() const { return ahead_.log_mean(); }  // of exp(dt_(k+1) l)
  [[nodiscard]] double log_back() const { return back_.log_mean(); }    // of exp(-dt_k l)

 private:
  double count_ = 0, mean_ = 0, squares_ = 0;
  LogWeights ahead_, back_;
};

// One for every temperature.
using PowerPath = std::vector<PowerSums>;

// Chains [chains, rows] go up from exact prior samples; at every temperature each makes a fifth of
// its moves before its samples count. Step sizes are adapted in a first pass on other noise.
struct PowerOptions {
  std::int64_t temps = 20;
  double power = 4;
  std::int64_t samples = 1000;  // per example and temperature, by all chains
  std::int64_t chains = 16;
  int leapfrog = 10;
  double accept = 0.65;

  [[nodiscard]] std::int64_t moves() const { return (samples + chains - 1) / chains; }
  void describe(Fields& fields);
};

class PowerChains {
 public:
  PowerChains(const LatentBlock& block, const PowerOptions& options);
  void run() { adapt(), sample(); }

  // For a row: moments over all its chains, over all but one, or over half 0 or 1 of one chain.
  [[nodiscard]] PowerPath path(std::size_t row) const;
  [[nodiscard]] PowerPath path_without(std::size_t row, std::int64_t chain) const;
  [[nodiscard]] const PowerPath& half(std::size_t row, std::int64_t chain, int which) const {
    return halves_[which][place(row, chain)];
  }
  // The largest split R-hat of l over the temperatures above 0, where samples are not exact.
  [[nodiscard]] double r_hat(std::size_t row) const;
  [[nodiscard]] double acceptance(std::size_t row) const;
  [[nodiscard]] const std::vector<double>& temperatures() const { return t_; }

 private:
  static constexpr double first_size = 0.1;

  void adapt();
  void sample();
  // log p(x|z)^t p(z) and its gradient.
  [[nodiscard]] ChainDensity at(double t);
  HmcOutcome move(ChainStates& states, double t, std::span<const double> sizes, Rng noise);
  void adapt_at(std::size_t k, ChainStates& states, Rng noise);
  std::vector<float> sample_prior();
  void look(std::size_t k, std::int64_t number, std::span<const float> z);
  [[nodiscard]] std::size_t place(std::size_t row, std::int64_t chain) const {
    return static_cast<std::size_t>(chain * block_.rows()) + row;
  }

  const LatentBlock& block_;
  const PowerOptions& options_;
  std::vector<double> t_;
  std::size_t total_;
  std::unique_ptr<LatentJoint> joint_;
  std::vector<double> log_prior_, log_likelihood_;
  std::vector<std::uint64_t> numbers_;
  std::vector<std::vector<double>> sizes_;  // [temperature][chains * rows]
  std::vector<PowerPath> halves_[2];        // [chains * rows] each
  std::vector<double> accepted_;
  std::uint32_t moved_ = 0;
};

}  // namespace logpx
