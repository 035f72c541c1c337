// Element by element. Two or three operands broadcast by NumPy's rule.
#pragma once

#include "libcore/grad/graph.hpp"

namespace logpx {

[[nodiscard]] Var add(Var a, Var b);
[[nodiscard]] Var subtract(Var a, Var b);
[[nodiscard]] Var multiply(Var a, Var b);
[[nodiscard]] Var divide(Var a, Var b);
// Where both are equal, the gradient goes to a.
[[nodiscard]] Var minimum(Var a, Var b);
[[nodiscard]] Var maximum(Var a, Var b);
// a where mask is not 0, else b; no gradient to the mask, none through what is not chosen.
[[nodiscard]] Var where(Var mask, Var a, Var b);

[[nodiscard]] inline Var operator+(Var a, Var b) { return add(a, b); }
[[nodiscard]] inline Var operator-(Var a, Var b) { return subtract(a, b); }
[[nodiscard]] inline Var operator*(Var a, Var b) { return multiply(a, b); }
[[nodiscard]] inline Var operator/(Var a, Var b) { return divide(a, b); }

[[nodiscard]] Var affine(Var x, double scale, double shift);  // scale x + shift
[[nodiscard]] inline Var operator+(Var x, double c) { return affine(x, 1, c); }
[[nodiscard]] inline Var operator-(Var x, double c) { return affine(x, 1, -c); }
[[nodiscard]] inline Var operator*(Var x, double c) { return affine(x, c, 0); }
[[nodiscard]] inline Var operator/(Var x, double c) { return affine(x, 1 / c, 0); }
[[nodiscard]] inline Var operator+(double c, Var x) { return affine(x, 1, c); }
[[nodiscard]] inline Var operator-(double c, Var x) { return affine(x, -1, c); }
[[nodiscard]] inline Var operator*(double c, Var x) { return affine(x, c, 0); }
[[nodiscard]] inline Var neg(Var x) { return affine(x, -1, 0); }
[[nodiscard]] inline Var operator-(Var x) { return neg(x); }

[[nodiscard]] Var abs(Var x);  // gradient 0 at 0
[[nodiscard]] Var square(Var x);
[[nodiscard]] Var sqrt(Var x);  // x > 0 where a gradient is wanted
[[nodiscard]] Var exp(Var x);
[[nodiscard]] Var expm1(Var x);
[[nodiscard]] Var log(Var x);                   // x > 0
[[nodiscard]] Var log1p(Var x);                 // x > -1
[[nodiscard]] Var pow(Var x, double exponent);  // x > 0, or any x with an integer exponent
[[nodiscard]] Var sin(Var x);
[[nodiscard]] Var cos(Var x);
[[nodiscard]] Var erf(Var x);
[[nodiscard]] Var lgamma(Var x);  // x > 0

[[nodiscard]] Var tanh(Var x);
[[nodiscard]] Var sigmoid(Var x);
[[nodiscard]] Var log_sigmoid(Var x);
[[nodiscard]] Var softplus(Var x);  // log(1 + e^x)
[[nodiscard]] Var relu(Var x);
[[nodiscard]] Var leaky_relu(Var x, double slope);
[[nodiscard]] Var elu(Var x, double alpha);  // alpha (e^x - 1) below 0
[[nodiscard]] Var silu(Var x);               // x sigmoid(x)
[[nodiscard]] Var gelu_erf(Var x);           // x Phi(x)
[[nodiscard]] Var gelu_tanh(Var x);

[[nodiscard]] Var clamp(Var x, double low, double high);  // no gradient outside
// s = low + softplus(x - low), then the same from above: a gradient everywhere. [math/README 4.4]
[[nodiscard]] Var smooth_clamp(Var x, double low, double high);

}  // namespace logpx
