// Probabilities of whole numbers: discretised logistic, its mixture, beta-binomial. All in double:
// a term near 1000 has an error of 1e-4 in float.   [math/README 4.4]
#include "libcore/det/functions.hpp"
#include "libcore/grad/ops_likelihood.hpp"
#include "libcore/grad/ops_index.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/grad/ops_reduce.hpp"
#include "libcore/grad/row_function.hpp"
#include "libcore/math/special.hpp"

#include <limits>
#include <vector>

namespace logpx {
namespace {

using Doubles = elementwise::Run<double>;

struct DiscretizedLogistic {
  static constexpr const char* name = "discretized_logistic_log_prob";
  static constexpr std::size_t operands = 3;  // x, mean, log_scale
  static constexpr bool in_double = true;
  double levels;

  // The ends of the bin in units of the scale, and e^-log_scale.
  struct Ends {
    Doubles upper, lower, rate;
  };
  void find_ends(const OperandBlock<double>& in, Ends& ends) const {
    const auto x = in[0], mean = in[1], log_scale = in[2];
    const double half = 1 / (levels - 1);
    for (std::size_t i = 0; i < in.n; ++i) ends.rate[i] = -log_scale[i];
    vec::exp(std::span(ends.rate).first(in.n), std::span(ends.rate).first(in.n));
    for (std::size_t i = 0; i < in.n; ++i) {
      const double middle = (2 * x[i] - (levels - 1)) * half;
      ends.upper[i] = (middle + half - mean[i]) * ends.rate[i];
      ends.lower[i] = (middle - half - mean[i]) * ends.rate[i];
    }
  }
  [[nodiscard]] bool lowest(double x) const { return x <= 0; }
  [[nodiscard]] bool highest(double x) const { return x >= levels - 1; }

  // log sigmoid(upper) + log sigmoid(-lower) + log(1 - e^(lower - upper)): exact in both tails.
  void value(const OperandBlock<double>& in, std::span<double> y) const {
    Ends ends;
    find_ends(in, ends);
    Doubles above, width;
    for (std::size_t i = 0; i < in.n; ++i) {
      above[i] = -ends.lower[i];
      width[i] = -2 / (levels - 1) * ends.rate[i];
    }
    const auto part = [n = in.n](Doubles& run) { return std::span(run).first(n); };
    vec::expm1(part(width), part(width));
    for (std::size_t i = 0; i < in.n; ++i) width[i] = -width[i];
    vec::log(part(width), part(width));
    vec::log_sigmoid(part(ends.upper), part(ends.upper));
    vec::log_sigmoid(part(above), part(above));
    for (std::size_t i = 0; i < in.n; ++i)
      y[i] = lowest(in[0][i])    ? ends.upper[i]
             : highest(in[0][i]) ? above[i]
                                 : ends.upper[i] + above[i] + width[i];
  }

  void slopes(const OperandBlock<double>& in, const OperandSlopes<double>& d) const {
    Ends ends;
    find_ends(in, ends);
    Doubles below, above, width;  // sigmoid(-upper), sigmoid(lower), expm1(width of the bin)
    for (std::size_t i = 0; i < in.n; ++i) {
      below[i] = -ends.upper[i];
      above[i] = ends.lower[i];
      width[i] = 2 / (levels - 1) * ends.rate[i];
    }
    const auto part = [n = in.n](Doubles& run) { return std::span(run).first(n); };
    vec::sigmoid(part(below), part(below));
    vec::sigmoid(part(above), part(above));
    vec::expm1(part(width), part(width));
    for (std::size_t i = 0; i < in.n; ++i) {
      const bool inside = !lowest(in[0][i]) && !highest(in[0][i]);
      const double p = highest(in[0][i]) ? 0 : below[i], q = lowest(in[0][i]) ? 0 : above[i];
      d[0][i] = 0;
      d[1][i] = ends.rate[i] * (q - p);
      d[2][i] = (q == 0 ? 0 : ends.lower[i] * q) - (p == 0 ? 0 : ends.upper[i] * p);
      if (inside) d[2][i] -= 2 / (levels - 1) * ends.rate[i] / width[i];
    }
  }
};

struct BetaBinomial {
  static constexpr const char* name = "beta_binomial_log_prob";
  static constexpr std::size_t operands = 3;  // x, log_alpha, log_beta
  static constexpr bool in_double = true;
  double n;
  std::vector<double> log_choose;  // of n, by x

  explicit BetaBinomial(std::int64_t top) : n(static_cast<double>(top)) {
    for (double x = 0; x <= n; ++x)
      log_choose.push_back(repeatable_log_gamma(n + 1) - repeatable_log_gamma(x + 1) -
                           repeatable_log_gamma(n - x + 1));
  }

  // a, b, a + b, and what they rise by: x, n - x, n
  struct Bases {
    std::array<Doubles, 3> base, rise;
  };
  void find_bases(const OperandBlock<double>& in, Bases& s) const {
    vec::exp(in[1], std::span(s.base[0]).first(in.n));
    vec::exp(in[2], std::span(s.base[1]).first(in.n));
    for (std::size_t i = 0; i < in.n; ++i) {
      s.base[2][i] = s.base[0][i] + s.base[1][i];
      s.rise[0][i] = in[0][i];
      s.rise[1][i] = n - in[0][i];
      s.rise[2][i] = n;
    }
  }
  using Rising = void (*)(std::span<const double>, std::span<const double>, std::span<double>);
  static void rise(Rising function, Bases& s, std::size_t count) {
    for (std::size_t term = 0; term < 3; ++term) {
      const auto part = [count](Doubles& run) { return std::span(run).first(count); };
      function(part(s.base[term]), part(s.rise[term]), part(s.rise[term]));
    }
  }

  // log C(n, x) + ln B(x + a, n - x + b) - ln B(a, b)
  void value(const OperandBlock<double>& in, std::span<double> y) const {
    Bases s;
    find_bases(in, s);
    rise(vec::log_rising, s, in.n);
    for (std::size_t i = 0; i < in.n; ++i) {
      const double x = in[0][i];
      const double log_choices = x >= 0 && x <= n ? log_choose[static_cast<std::size_t>(x)]
                                                  : std::numeric_limits<double>::quiet_NaN();
      y[i] = log_choices + s.rise[0][i] + s.rise[1][i] - s.rise[2][i];
    }
  }

  void slopes(const OperandBlock<double>& in, const OperandSlopes<double>& d) const {
    Bases s;
    find_bases(in, s);
    rise(vec::digamma_rising, s, in.n);
    for (std::size_t i = 0; i < in.n; ++i) {
      d[0][i] = 0;
      d[1][i] = s.base[0][i] * (s.rise[0][i] - s.rise[2][i]);
      d[2][i] = s.base[1][i] * (s.rise[1][i] - s.rise[2][i]);
    }
  }
};

}  // namespace

Var discretized_logistic_log_prob(Var x, Var mean, Var log_scale, std::int64_t levels, int kept) {
  expect_fit(levels >= 2, std::span(&x.shape(), 1), "needs at least 2 levels");
  return row_function(DiscretizedLogistic{static_cast<double>(levels)}, {x, mean, log_scale}, kept);
}

// Made of ops: the components are K elements each, so one more pass over them costs little.
Var discretized_logistic_mixture_log_prob(Var x, const LogisticMixture& mixture,
                                          std::int64_t levels, int kept) {
  const std::int64_t components = mixture.mean.shape().back();
  const int rank = std::max(mixture.mean.shape().rank(), x.shape().rank() + 1);
  const Var copies = repeat(x.reshape({x.shape().elements(), 1}), 1, components);
  std::array<std::int64_t, Shape::max_rank> sizes{};
  std::copy(x.shape().sizes().begin(), x.shape().sizes().end(), sizes.begin());
  const auto x_rank = static_cast<std::size_t>(x.shape().rank());
  expect_fit(x_rank + 1 <= sizes.size(), std::span(&x.shape(), 1), "at most 4 axes");
  sizes[x_rank] = components;
  const Shape wide(std::span<const std::int64_t>(sizes).first(x_rank + 1));
  const Var each = discretized_logistic_log_prob(copies.reshape(wide), mixture.mean,
                                                 mixture.log_scale, levels, rank);
  const Var per_element = logsumexp(each + log_softmax(mixture.logits), -1);
  return kept == rank - 1 ? per_element : sum(per_element, over_trailing(per_element, kept));
}

Var beta_binomial_log_prob(Var x, Var log_alpha, Var log_beta, std::int64_t n, int kept) {
  return row_function(BetaBinomial(n), {x, log_alpha, log_beta}, kept);
}

}  // namespace logpx
