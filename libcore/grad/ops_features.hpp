// Fixed expansions of a few numbers into many.
#pragma once

#include "libcore/grad/graph.hpp"

#include <vector>

namespace logpx {

// Channels of x [N,C,...], then sin(2^n pi x) of channel 0 for every n, of channel 1 ..., then the
// cosines likewise: [N, C + 2 C |n|, ...]. Exact range reduction.   [VDM appendix C]
[[nodiscard]] Var fourier_features(Var x, std::vector<int> exponents);

// t [B] to [B,width]: sin(scale t f_j), then cos, with f_j = 10000^(-j/(width/2 - 1)).
[[nodiscard]] Var time_embedding(Var t, std::int64_t width, double scale = 1000);

// y = x softplus(w) + b: rises with every x. w [in,out] is free.
[[nodiscard]] Var monotone_linear(Var x, Var w, Var b);

}  // namespace logpx
