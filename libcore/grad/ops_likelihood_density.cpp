// Bernoulli, Gaussian, and the divergence of two Gaussians.
#include "libcore/grad/ops_likelihood.hpp"
#include "libcore/grad/row_function.hpp"

#include <numbers>

namespace logpx {
namespace {

struct Bernoulli {
  static constexpr const char* name = "bernoulli_log_prob";
  static constexpr std::size_t operands = 2;
  static constexpr bool in_double = false;
  template <typename C>
  void value(const OperandBlock<C>& in, std::span<C> y) const {
    const auto x = in[0], o = in[1];
    vec::softplus(o, y);
    for (std::size_t i = 0; i < in.n; ++i) y[i] = x[i] * o[i] - y[i];
  }
  template <typename C>
  void slopes(const OperandBlock<C>& in, const OperandSlopes<C>& d) const {
    const auto x = in[0], o = in[1];
    vec::sigmoid(o, d[1]);
    for (std::size_t i = 0; i < in.n; ++i) {
      d[0][i] = o[i];
      d[1][i] = x[i] - d[1][i];
    }
  }
};

struct Gaussian {
  static constexpr const char* name = "gaussian_log_prob";
  static constexpr std::size_t operands = 3;
  static constexpr bool in_double = false;
  template <typename C>
  static void precision(std::span<const C> log_var, std::span<C> result) {
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = -log_var[i];
    vec::exp(result, result);
  }
  template <typename C>
  void value(const OperandBlock<C>& in, std::span<C> y) const {
    const auto x = in[0], mean = in[1], log_var = in[2];
    const C log_two_pi = C(1.8378770664093454836);
    precision(log_var, y);
    for (std::size_t i = 0; i < in.n; ++i) {
      const C r = x[i] - mean[i];
      y[i] = C(-0.5) * (log_two_pi + log_var[i] + r * r * y[i]);
    }
  }
  template <typename C>
  void slopes(const OperandBlock<C>& in, const OperandSlopes<C>& d) const {
    const auto x = in[0], mean = in[1];
    precision(in[2], d[1]);
    for (std::size_t i = 0; i < in.n; ++i) {
      const C r = x[i] - mean[i], scaled = r * d[1][i];
      d[0][i] = -scaled;
      d[1][i] = scaled;
      d[2][i] = C(0.5) * (r * scaled - 1);
    }
  }
};

struct StandardNormalKl {
  static constexpr const char* name = "standard_normal_kl";
  static constexpr std::size_t operands = 2;
  static constexpr bool in_double = false;
  // (mu^2 + e^s - 1 - s) / 2; expm1 keeps the digits near the prior.
  template <typename C>
  void value(const OperandBlock<C>& in, std::span<C> y) const {
    const auto mean = in[0], log_var = in[1];
    vec::expm1(log_var, y);
    for (std::size_t i = 0; i < in.n; ++i)
      y[i] = C(0.5) * (mean[i] * mean[i] + (y[i] - log_var[i]));
  }
  template <typename C>
  void slopes(const OperandBlock<C>& in, const OperandSlopes<C>& d) const {
    vec::expm1(in[1], d[1]);
    for (std::size_t i = 0; i < in.n; ++i) {
      d[0][i] = in[0][i];
      d[1][i] *= C(0.5);
    }
  }
};

struct NormalKl {
  static constexpr const char* name = "normal_kl";
  static constexpr std::size_t operands = 4;
  static constexpr bool in_double = false;
  // with t = s - s_prior, r = mu - mu_prior: (e^t - 1 - t + r^2 e^-s_prior) / 2
  template <typename C>
  void value(const OperandBlock<C>& in, std::span<C> y) const {
    elementwise::Run<C> inverse;
    const std::span<C> precision = std::span(inverse).first(in.n);
    Gaussian::precision(in[3], precision);
    for (std::size_t i = 0; i < in.n; ++i) y[i] = in[1][i] - in[3][i];
    vec::expm1(y, y);
    for (std::size_t i = 0; i < in.n; ++i) {
      const C r = in[0][i] - in[2][i], t = in[1][i] - in[3][i];
      y[i] = C(0.5) * ((y[i] - t) + r * r * precision[i]);
    }
  }
  template <typename C>
  void slopes(const OperandBlock<C>& in, const OperandSlopes<C>& d) const {
    Gaussian::precision(in[3], d[0]);
    for (std::size_t i = 0; i < in.n; ++i) d[1][i] = in[1][i] - in[3][i];
    vec::expm1(d[1], d[1]);
    for (std::size_t i = 0; i < in.n; ++i) {
      const C r = in[0][i] - in[2][i], scaled = r * d[0][i];
      d[0][i] = scaled;
      d[1][i] *= C(0.5);
      d[2][i] = -scaled;
      d[3][i] = -d[1][i] - C(0.5) * r * scaled;
    }
  }
};

}  // namespace

Var bernoulli_log_prob(Var x, Var logits, int kept) {
  return row_function(Bernoulli{}, {x, logits}, kept);
}
Var gaussian_log_prob(Var x, Var mean, Var log_var, int kept) {
  return row_function(Gaussian{}, {x, mean, log_var}, kept);
}
Var standard_normal_kl(Var mean, Var log_var, int kept) {
  return row_function(StandardNormalKl{}, {mean, log_var}, kept);
}
Var normal_kl(const NormalPair& pair, int kept) {
  return row_function(NormalKl{}, {pair.mean, pair.log_var, pair.prior_mean, pair.prior_log_var},
                      kept);
}

}  // namespace logpx
