// Leaves of probabilistic circuits: log-probabilities of one variable's values under every node of
// a block, and what EM counts of them.   [math/README 5.2]
//
//   categorical  log p_j[x]                            counts_j[k] += sum over x_b = k of flow_jb
//   binomial     log C(n,x) + x log p_j + (n-x) log(1-p_j)
//                                                      weight_j += sum_b flow_jb,
//                                                      total_j  += sum_b flow_jb x_b
//
// A missing value (negative) is summed out: log-probability 0, and nothing is counted.
#pragma once

#include <cstdint>
#include <span>

namespace logpx {

template <typename T>
struct CategoricalLeaves {
  std::int64_t nodes = 0, categories = 0;
  std::span<const std::int32_t> x;  // [batch], below `categories`
  const T* log_p = nullptr;         // [nodes,categories]
  T* y = nullptr;                   // [nodes,batch]: log-probabilities, set
  const T* flow = nullptr;          // [nodes,batch]
  T* counts = nullptr;              // [nodes,categories], added to
};
void log_probabilities(const CategoricalLeaves<float>& leaves);
void log_probabilities(const CategoricalLeaves<double>& leaves);
void count(const CategoricalLeaves<float>& leaves);
void count(const CategoricalLeaves<double>& leaves);

template <typename T>
struct BinomialLeaves {
  std::int64_t nodes = 0, trials = 0;
  std::span<const std::int32_t> x;        // [batch], at most `trials`
  const T* p = nullptr;                   // [nodes], 0 <= p <= 1
  T* y = nullptr;                         // [nodes,batch]: log-probabilities, set
  const T* flow = nullptr;                // [nodes,batch]
  T *weight = nullptr, *total = nullptr;  // [nodes] each, added to
  [[nodiscard]] std::int64_t batch() const { return static_cast<std::int64_t>(x.size()); }
};
void log_probabilities(const BinomialLeaves<float>& leaves);
void log_probabilities(const BinomialLeaves<double>& leaves);
void count(const BinomialLeaves<float>& leaves);
void count(const BinomialLeaves<double>& leaves);

}  // namespace logpx
