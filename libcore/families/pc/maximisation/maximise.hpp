// The M-step: parameters from expected counts. Every tensor of a circuit is a list of rows that sum
// to 1, so one rule serves sums and leaves alike.   [pc/README 6.2]
//
//   C   counts of this update     K   columns of a row      p   shares of the pseudocounts
//   M(C) = (C + kappa p) / (sum C + kappa)
//
//   stats      F = (1 - eta) F + eta C,  theta = M(F)          full: the same with eta = 1
//   params     theta = (1 - eta) theta + eta M(C)
//   momentum   F = 0.9 F + 0.1 C,  theta = (1 - eta) theta + eta M(F / (1 - 0.9^k))
//
// Then values below the floor are raised to it, and rows are divided by their sums. A row without
// counts and pseudocounts stays as it is.
#pragma once

#include "libcore/grad/params.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace logpx::pc {

// Rows of parameters that pool their counts, as the leaves' weights and the dictionary of a circuit
// with styles do. Zeros stay zeros, so an element keeps its support.   [pc/README 4.3]
//
//   pool   counts of all rows of a kind, over their sum
//   p = (1 - even) (of_pool pool + (1 - of_pool) usual) + even / (columns that are not 0)
struct MaximiseStep;

struct RowGroup {
  enum class Moves { never, with_step, with_average };
  Moves moves = Moves::with_step;
  std::int64_t kinds = 1;   // rows i and i + kinds are of one kind
  double pseudocounts = 1;  // multiple of those of the step
  double of_pool = 0, even = 0;
};

// theta = (1 - eta) theta + eta (C + kappa p) / (sum C + kappa), or, with a running average F of
// counts, whose rate is max(0.03, eta / 5), theta = (F + kappa p) / (sum F + kappa) once F is made
// of ten steps. `usual` may be empty if of_pool is 1.
template <typename T>
struct GroupRows {
  std::span<const T> counts;
  std::span<T> statistics, theta;
  std::span<const double> usual;  // shares by column, or empty
  std::int64_t columns = 0;
};
template <typename T>
void move_group(const RowGroup& group, const MaximiseStep& step, const GroupRows<T>& rows);

enum class EmRule { stats, params, full, momentum };

struct MaximiseStep {
  EmRule rule = EmRule::full;
  double rate = 1;         // eta
  double pseudocount = 0;  // kappa: for each row in this update
  double pooled = 0;       // c: the same for covariances, of the mean of a leaf's nodes
  double floor = 0;
  double share = 1;       // of this update's rows among all
  std::int64_t step = 0;  // from 0
};

// Shares of pseudocounts for the rows in a part of theta; all other rows have even ones. Rows of a
// group move by the group's rule.
struct RowPrior {
  BlockRange rows;
  std::vector<double> shares = {};  // of the columns
  std::optional<RowGroup> group = {};
};
using RowPriors = std::vector<RowPrior>;  // in the order of theta

// Counts that the M-step of a row starts from, as the rule averages them. `statistics` are F, zeros
// at step 0, or empty where the rule keeps none.
template <typename T>
void mix_counts(const MaximiseStep& step, std::span<const T> counts, std::span<T> statistics,
                std::span<double> mixed);

// Rows that move independently of all others, so that threads can share portions. Refers to the
// priors.
struct RowPortion {
  BlockRange rows;
  std::int64_t columns = 0;
  const RowPrior* prior = nullptr;
};
[[nodiscard]] std::vector<RowPortion> portions_of(const ParamSet& layout, const RowPriors& priors);

// Numbers of the same layout.
template <typename T>
struct RowNumbers {
  std::span<const T> counts;
  std::span<T> statistics, theta;
};
template <typename T>
void maximise(const RowPortion& portion, const MaximiseStep& step, const RowNumbers<T>& numbers);

// All rows of probabilities.
template <typename T>
void maximise(const ParamSet& layout, const MaximiseStep& step, const RowPriors& priors,
              std::span<const T> counts, std::span<T> statistics, std::span<T> theta);

// Whether parameters move towards M(C) step by step.
[[nodiscard]] inline bool moves_parameters(EmRule rule) {
  return rule == EmRule::params || rule == EmRule::momentum;
}
[[nodiscard]] inline bool keeps_statistics(EmRule rule) {
  return rule == EmRule::stats || rule == EmRule::momentum;
}
[[nodiscard]] bool keeps_statistics(const RowPriors& priors);

}  // namespace logpx::pc
