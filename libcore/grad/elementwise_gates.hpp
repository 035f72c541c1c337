// Rules of the form x times a gate that opens with x: silu and the two gelus.
#pragma once

#include "libcore/det/arrays.hpp"
#include "libcore/grad/elementwise.hpp"
#include "libcore/math/repeatable.hpp"

#include <numbers>

namespace logpx::elementwise {

// x gate(x) as the coder's numerics define it: widened as a whole, rounded once.
template <typename T, typename Gate>
void gate_repeatably(std::span<const T> x, std::span<T> y, Gate gate) {
  in_blocks(y.size(), [&](std::size_t first, std::size_t n) {
    Run<double> opened;
    gate(x.subspan(first, n), std::span(opened).first(n));
    for (std::size_t i = 0; i < n; ++i)
      y[first + i] = static_cast<T>(static_cast<double>(x[first + i]) * opened[i]);
  });
}

// x sigmoid(x)
struct Silu {
  static constexpr const char* name = "silu";
  static constexpr bool from_result = false;
  template <typename T>
  void value(std::span<const T> x, std::span<T> y) const {
    if (RepeatableFunctions::on())
      return gate_repeatably(x, y, [](auto in, std::span<double> out) { det::sigmoid(in, out); });
    in_blocks(y.size(), [&](std::size_t first, std::size_t n) {
      Run<T> s;
      vec::sigmoid(x.subspan(first, n), std::span(s).first(n));
      for (std::size_t i = 0; i < n; ++i) y[first + i] = x[first + i] * s[i];
    });
  }
  template <typename T>
  void slope(std::span<const T> x, std::span<T> d) const {
    vec::sigmoid(x, d);
    for (std::size_t i = 0; i < d.size(); ++i) d[i] = d[i] * (1 + x[i] * (1 - d[i]));
  }
};

// x Phi(x)
struct GeluErf {
  static constexpr const char* name = "gelu_erf";
  static constexpr bool from_result = false;
  template <typename T>
  static void distribution(std::span<const T> x, std::span<T> phi) {
    for (std::size_t i = 0; i < phi.size(); ++i) phi[i] = x[i] * T(std::numbers::sqrt2 / 2);
    vec::erf(phi, phi);
    for (T& p : phi) p = T(0.5) * (1 + p);
  }
  template <typename T>
  void value(std::span<const T> x, std::span<T> y) const {
    if (RepeatableFunctions::on())
      return gate_repeatably(x, y, [](auto in, std::span<double> out) { det::ndtr(in, out); });
    in_blocks(y.size(), [&](std::size_t first, std::size_t n) {
      Run<T> phi;
      distribution(x.subspan(first, n), std::span(phi).first(n));
      for (std::size_t i = 0; i < n; ++i) y[first + i] = x[first + i] * phi[i];
    });
  }
  template <typename T>
  void slope(std::span<const T> x, std::span<T> d) const {
    Run<T> phi;
    const std::span<T> cdf = std::span(phi).first(d.size());
    distribution(x, cdf);
    for (std::size_t i = 0; i < d.size(); ++i) d[i] = T(-0.5) * x[i] * x[i];
    vec::exp(d, d);
    const T scale = T(std::numbers::inv_sqrtpi * std::numbers::sqrt2 / 2);
    for (std::size_t i = 0; i < d.size(); ++i) d[i] = cdf[i] + x[i] * scale * d[i];
  }
};

// x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))
struct GeluTanh {
  static constexpr const char* name = "gelu_tanh";
  static constexpr bool from_result = false;
  static constexpr double scale = std::numbers::inv_sqrtpi * std::numbers::sqrt2, cubic = 0.044715;
  template <typename T>
  static void inner(std::span<const T> x, std::span<T> t) {
    for (std::size_t i = 0; i < t.size(); ++i)
      t[i] = T(scale) * x[i] * (1 + T(cubic) * x[i] * x[i]);
    vec::tanh(t, t);
  }
  template <typename T>
  void value(std::span<const T> x, std::span<T> y) const {
    in_blocks(y.size(), [&](std::size_t first, std::size_t n) {
      Run<T> t;
      inner(x.subspan(first, n), std::span(t).first(n));
      for (std::size_t i = 0; i < n; ++i) y[first + i] = T(0.5) * x[first + i] * (1 + t[i]);
    });
  }
  template <typename T>
  void slope(std::span<const T> x, std::span<T> d) const {
    inner(x, d);
    for (std::size_t i = 0; i < d.size(); ++i) {
      const T in = T(scale) * (1 + 3 * T(cubic) * x[i] * x[i]);
      d[i] = T(0.5) * (1 + d[i] + x[i] * (1 - d[i] * d[i]) * in);
    }
  }
};

}  // namespace logpx::elementwise
