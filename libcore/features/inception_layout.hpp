// Inception v3 as used for the FID: which convolutions there are, in which order, and their names
// in the published checkpoint. Numbers of channels come from the weights.
//
//   const LayerNode net = inception_layout();
#pragma once

#include "libcore/grad/ops_conv.hpp"

#include <string>
#include <vector>

namespace logpx {

struct LayerNode {
  enum class Kind {
    convolution,  // without a bias, then normalised, then ReLU
    pool,
    sequence,  // one after the other
    join,      // each on the same input, channels one after the other
  };
  Kind kind = Kind::sequence;
  std::string name = {};  // for a convolution: "Mixed_5b.branch5x5_2"
  PerAxis kernel = 1;
  std::int64_t stride = 1;
  PerAxis pad = 0;
  PoolOptions pooling = {};
  std::vector<LayerNode> parts = {};
};

// From pictures of 299x299 to maps whose means over space are the features.
[[nodiscard]] LayerNode inception_layout();

// The size of the pictures that it takes.
inline constexpr std::int64_t inception_side = 299;

}  // namespace logpx
