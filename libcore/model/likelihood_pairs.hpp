// log p(x_b|h_s) of every row b of a batch under every set of heads s, for importance sampling: the
// samples of a generator are decoded once and compared with all rows. And the way back: for weights
// W [B,S] the sum over rows of W_bs d log p(x_b|h_s) / dh_s.
//
//   const std::unique_ptr<LikelihoodPairs> pairs = likelihood.pairs(dims);
//   pairs->take(heads, samples);
//   pairs->log_prob(x, log_p);
//   pairs->add_slopes(x, weights, slopes);
//
// Nothing of size rows x samples x dimensions is ever held. Sums are in double, but likelihoods
// without a class of their own go through a graph, which rounds its results to float.
#pragma once

#include "libcore/math/repeatable.hpp"
#include "libcore/model/likelihood.hpp"

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace logpx {

class LikelihoodPairs {
 public:
  explicit LikelihoodPairs(std::int64_t dims) : dims_(dims) {}
  virtual ~LikelihoodPairs() = default;
  LikelihoodPairs(const LikelihoodPairs&) = delete;
  LikelihoodPairs& operator=(const LikelihoodPairs&) = delete;

  // How every number is computed; call it before the first take() only.
  virtual void compute_by(const Numerics& numerics) { numerics_ = numerics; }

  // S sets of heads: [S, D per_dim] each, or [1] where shared. They must live until the next call.
  // One thread calls it, before the functions below.
  void take(const Likelihood::HeadValues& heads, std::int64_t samples);

  // From here on, any number of threads. Rows x [B,D] to log_p [B,S].
  void log_prob(std::span<const float> x, std::span<double> log_p) const;
  // Adds to the slope of every head; a slope has the layout of its head, or is empty if not wanted.
  // Weights are [B,S].
  using Slopes = std::span<const std::span<double>>;
  void add_slopes(std::span<const float> x, std::span<const double> weights,
                  const Slopes& slopes) const;

  [[nodiscard]] std::int64_t dims() const { return dims_; }
  [[nodiscard]] std::int64_t samples() const { return samples_; }
  // Memory that so many samples take; and what one thread needs besides for so many rows.
  [[nodiscard]] virtual std::int64_t bytes(std::int64_t samples) const = 0;
  [[nodiscard]] virtual std::int64_t worker_bytes(std::int64_t rows,
                                                  std::int64_t samples) const = 0;

 protected:
  // Memory of one call, kept for the next so that none is allocated after the first step.
  struct Memory {
    std::vector<double> rows, slopes, sums;
    std::vector<std::int32_t> index;
  };
  virtual void prepare(Memory& memory) = 0;
  virtual void score(std::span<const float> x, std::span<double> log_p, Memory& memory) const = 0;
  virtual void go_back(std::span<const float> x, std::span<const double> weights,
                       const Slopes& slopes, Memory& memory) const = 0;

  [[nodiscard]] const Numerics& numerics() const { return numerics_; }
  [[nodiscard]] const Likelihood::HeadValues& heads() const { return heads_; }
  [[nodiscard]] std::int64_t rows_of(std::span<const float> x) const {
    return std::ssize(x) / dims_;
  }

 private:
  class Lent;
  std::int64_t dims_, samples_ = 0;
  Numerics numerics_;
  Likelihood::HeadValues heads_;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<Memory>> idle_;
};

// Pairs by the graph of a likelihood's node; the likelihood must outlive them.
[[nodiscard]] std::unique_ptr<LikelihoodPairs> graph_pairs(const Likelihood& likelihood,
                                                           std::int64_t dims);
[[nodiscard]] std::unique_ptr<LikelihoodPairs> categorical_pairs(std::int64_t dims,
                                                                 const LevelsOfX& values);

}  // namespace logpx
