// Rules of functions of one element: value and slope, over short runs. Ops and fused activations
// apply them block by block, so that the pieces of a formula stay in the first-level cache and no
// op needs a workspace for them.
#pragma once

#include "libcore/math/vector_math.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
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
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = x[i] < 0 ? T(0) : x[i];  // nan stays
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

}  // namespace logpx::elementwise
