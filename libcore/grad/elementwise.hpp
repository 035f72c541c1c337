// Rules of functions of one element: value beside slope, over short runs. Ops and fused activations
// apply them block by block, so that the pieces of a formula stay in the first-level cache and no
// op needs a workspace for them.
#pragma once

#include "libcore/math/vector_math.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <span>

namespace logpx::elementwise {

inline constexpr std::size_t block = 512;

// body(first, count) for runs of at most `block` elements.
template <typename Body>
void in_blocks(std::size_t n, Body body) {
  for (std::size_t first = 0; first < n; first += block) body(first, std::min(block, n - first));
}

// A rule has: name; from_result (slope sees y instead of x); value(x, y), y may be x;
// slope(kept, d), at most `block` elements, d is not `kept`.
template <typename T>
using Run = std::array<T, block>;

struct Tanh {
  static constexpr const char* name = "tanh";
  static constexpr bool from_result = true;
  template <typename T>
  void value(std::span<const T> x, std::span<T> y) const {
    vec::tanh(x, y);
  }
  template <typename T>
  void slope(std::span<const T> y, std::span<T> d) const {
    for (std::size_t i = 0; i < d.size(); ++i) d[i] = 1 - y[i] * y[i];
  }
};

struct Sigmoid {
  static constexpr const char* name = "sigmoid";
  static constexpr bool from_result = true;
  template <typename T>
  void value(std::span<const T> x, std::span<T> y) const {
    vec::sigmoid(x, y);
  }
  template <typename T>
  void slope(std::span<const T> y, std::span<T> d) const {
    for (std::size_t i = 0; i < d.size(); ++i) d[i] = y[i] * (1 - y[i]);
  }
};

struct Softplus {
  static constexpr const char* name = "softplus";
  static constexpr bool from_result = true;
  template <typename T>
  void value(std::span<const T> x, std::span<T> y) const {
    vec::softplus(x, y);
  }
  // sigmoid(x) = 1 - e^-y
  template <typename T>
  void slope(std::span<const T> y, std::span<T> d) const {
    for (std::size_t i = 0; i < d.size(); ++i) d[i] = -y[i];
    vec::expm1(d, d);
    for (T& s : d) s = -s;
  }
};

struct Relu {
  static constexpr const char* name = "relu";
  static constexpr bool from_result = true;
  template <typename T>
  void value(std::span<const T> x, std::span<T> y) const {
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = x[i] > 0 ? x[i] : T(0);
  }
  template <typename T>
  void slope(std::span<const T> y, std::span<T> d) const {
    for (std::size_t i = 0; i < d.size(); ++i) d[i] = y[i] > 0 ? T(1) : T(0);
  }
};

// The slope below zero is positive, so the sign of y is that of x.
struct LeakyRelu {
  static constexpr const char* name = "leaky_relu";
  static constexpr bool from_result = true;
  double below;
  template <typename T>
  void value(std::span<const T> x, std::span<T> y) const {
    const T s = static_cast<T>(below);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = x[i] > 0 ? x[i] : s * x[i];
  }
  template <typename T>
  void slope(std::span<const T> y, std::span<T> d) const {
    const T s = static_cast<T>(below);
    for (std::size_t i = 0; i < d.size(); ++i) d[i] = y[i] > 0 ? T(1) : s;
  }
};

// alpha (e^x - 1) below zero.
struct Elu {
  static constexpr const char* name = "elu";
  static constexpr bool from_result = true;
  double alpha = 1;
  template <typename T>
  void value(std::span<const T> x, std::span<T> y) const {
    const T a = static_cast<T>(alpha);
    in_blocks(y.size(), [&](std::size_t first, std::size_t n) {
      Run<T> e;
      vec::expm1(x.subspan(first, n), std::span(e).first(n));
      for (std::size_t i = 0; i < n; ++i) y[first + i] = x[first + i] > 0 ? x[first + i] : a * e[i];
    });
  }
  template <typename T>
  void slope(std::span<const T> y, std::span<T> d) const {
    const T a = static_cast<T>(alpha);
    for (std::size_t i = 0; i < d.size(); ++i) d[i] = y[i] > 0 ? T(1) : y[i] + a;
  }
};

// x sigmoid(x)
struct Silu {
  static constexpr const char* name = "silu";
  static constexpr bool from_result = false;
  template <typename T>
  void value(std::span<const T> x, std::span<T> y) const {
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
