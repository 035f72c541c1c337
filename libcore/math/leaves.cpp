#include "libcore/math/leaves.hpp"

#include "libcore/base/error.hpp"
#include "libcore/math/special.hpp"

#include <cmath>

namespace logpx {
namespace {

bool missing(std::int32_t value) { return value < 0; }

template <typename T>
void log_probabilities_of(const CategoricalLeaves<T>& f) {
  T* y = f.y;
  for (std::int64_t j = 0; j < f.nodes; ++j)
    for (const std::int32_t value : f.x) {
      LOGPX_DCHECK(value < f.categories);
      *y++ = missing(value) ? T(0) : f.log_p[j * f.categories + value];
    }
}

template <typename T>
void count_of(const CategoricalLeaves<T>& f) {
  const T* flow = f.flow;
  for (std::int64_t j = 0; j < f.nodes; ++j)
    for (const std::int32_t value : f.x) {
      if (!missing(value)) f.counts[j * f.categories + value] += *flow;
      ++flow;
    }
}

// 0 log 0 = 0: a node with p = 0 or 1 gives its one value probability 1.
double times_log(double count, double log_p) { return count == 0 ? 0 : count * log_p; }

// In double: the three large terms cancel. A value's coefficient serves all nodes.
template <typename T>
void log_probabilities_of(const BinomialLeaves<T>& f) {
  const auto n = static_cast<double>(f.trials);
  for (std::size_t b = 0; b < f.x.size(); ++b) {
    const auto x = static_cast<double>(f.x[b]);
    LOGPX_DCHECK(x <= n);
    T* const y = f.y + b;
    const bool absent = missing(f.x[b]);
    const double choices = absent ? 0 : log_gamma(n + 1) - log_gamma(x + 1) - log_gamma(n - x + 1);
    for (std::int64_t j = 0; j < f.nodes; ++j) {
      const auto p = static_cast<double>(f.p[j]);
      y[j * f.batch()] = absent ? T(0)
                                : static_cast<T>(choices + times_log(x, std::log(p)) +
                                                 times_log(n - x, std::log1p(-p)));
    }
  }
}

template <typename T>
void count_of(const BinomialLeaves<T>& f) {
  for (std::int64_t j = 0; j < f.nodes; ++j) {
    double weight = 0, total = 0;
    for (std::size_t b = 0; b < f.x.size(); ++b) {
      if (missing(f.x[b])) continue;
      const auto flow = static_cast<double>(f.flow[j * f.batch() + static_cast<std::int64_t>(b)]);
      weight += flow;
      total += flow * static_cast<double>(f.x[b]);
    }
    f.weight[j] += static_cast<T>(weight);
    f.total[j] += static_cast<T>(total);
  }
}

}  // namespace

void log_probabilities(const CategoricalLeaves<float>& leaves) { log_probabilities_of(leaves); }
void log_probabilities(const CategoricalLeaves<double>& leaves) { log_probabilities_of(leaves); }
void count(const CategoricalLeaves<float>& leaves) { count_of(leaves); }
void count(const CategoricalLeaves<double>& leaves) { count_of(leaves); }
void log_probabilities(const BinomialLeaves<float>& leaves) { log_probabilities_of(leaves); }
void log_probabilities(const BinomialLeaves<double>& leaves) { log_probabilities_of(leaves); }
void count(const BinomialLeaves<float>& leaves) { count_of(leaves); }
void count(const BinomialLeaves<double>& leaves) { count_of(leaves); }

}  // namespace logpx
