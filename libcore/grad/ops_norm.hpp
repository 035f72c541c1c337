// Normalisation, with affine parameters and a fused activation:
//   y = act( (x - mean) / sqrt(variance + eps) * scale + shift ),  biased variance, two passes.
//   [math/README 4.3]
#pragma once

#include "libcore/grad/activation.hpp"
#include "libcore/grad/graph.hpp"

namespace logpx {

struct NormOptions {
  double eps = 1e-5;
  Activation activation = Activation::none;
};

// x [N,C,...]: each example's channels in `groups` equal parts; scale and shift [C].
[[nodiscard]] Var group_norm(Var x, std::int64_t groups, NormOptions options = {});
[[nodiscard]] Var group_norm(Var x, Var scale, Var shift, std::int64_t groups,
                             NormOptions options = {});

// x [...,C]: each row; scale and shift [C].
[[nodiscard]] Var layer_norm(Var x, NormOptions options = {});
[[nodiscard]] Var layer_norm(Var x, Var scale, Var shift, NormOptions options = {});

// Batch norm in two nodes. In training:  batch_norm(x, channel_statistics(x), scale, shift), where
// the statistics are those of the shard's rows, and also the output that running averages are made
// of; in evaluation the statistics are an input.
//
// x [N,C,...] to [2,C]: the mean of each channel, then its biased variance.
[[nodiscard]] Var channel_statistics(Var x);
[[nodiscard]] Var batch_norm(Var x, Var statistics, Var scale, Var shift, NormOptions options = {});

}  // namespace logpx
