// Matrix products. "..." stands for any leading axes, the same in all operands.
#pragma once

#include "libcore/grad/activation.hpp"
#include "libcore/grad/graph.hpp"
#include "libcore/math/blas.hpp"

namespace logpx {

// y = f(x w + b): x [...,I], w [I,O], b [O] -> [...,O]
[[nodiscard]] Var linear(Var x, Var w, Var b, Activation activation = Activation::none);
[[nodiscard]] Var linear(Var x, Var w, Activation activation = Activation::none);

struct Transposes {
  Trans a = Trans::no, b = Trans::no;
};
// op(a) op(b): [...,m,k] x [...,k,n] -> [...,m,n]; op transposes the last two axes.
[[nodiscard]] Var matmul(Var a, Var b, Transposes transposes = {});

// A matrix for every group: x [...,G,I], w [G,I,O] -> [...,G,O] (Monarch factors, splines)
[[nodiscard]] Var grouped_matmul(Var x, Var w);

// a [...,m], b [...,n] -> a_i b_j [...,m,n]
[[nodiscard]] Var outer(Var a, Var b);

// x [...,C] + b [C]
[[nodiscard]] Var bias_add(Var x, Var b);

}  // namespace logpx
