// The encoder q(z|x) and the decoder's heads, as layers of the graph: dense, convolutional, or
// linear (probabilistic PCA).   [vae/README 4]
//
//   mlp     h = act(x W + b), mean = h Wm + bm, log_var = h Wv + bv;  g = act(z W + b), heads
//   conv    4x4 stride 2 twice, dense 256, heads;  dense twice, transposed 4x4 stride 2 twice
//   planes  convolutions alone (planes.hpp)
//   linear  mean = x A + a, log_var one vector for all x;  heads = z W + b
#pragma once

#include "libcore/families/encoded_model.hpp"
#include "libcore/families/vae/config.hpp"
#include "libcore/families/vae/planes.hpp"
#include "libcore/model/heads.hpp"
#include "libcore/nn/conv.hpp"
#include "libcore/nn/linear.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace logpx::vae {

using Heads = Likelihood::Heads;
using Target = Likelihood::Target;

class Encoder {
 public:
  Encoder(const Site& site, const Config& config, const Extents& extents);
  // x [M,D], scaled for the network.
  [[nodiscard]] EncodedGaussian operator()(const ParamSet& params, Var x) const;

 private:
  [[nodiscard]] Var picture(Var x) const;
  [[nodiscard]] Var hidden(const ParamSet& params, Var x) const;
  Extents extents_;
  bool limited_;
  std::optional<PlaneEncoder> planes_;
  std::vector<Conv2d> convolutions_;
  std::vector<Linear> dense_;
  std::optional<Linear> mean_, log_var_;
  int shared_log_var_ = -1;  // linear: a parameter
};

class Decoder {
 public:
  Decoder(const Site& site, const Config& config, const Extents& extents,
          const std::vector<HeadForm>& forms);
  // z [...,J] to heads [...,D] or, with several numbers per dimension, [...,D,per_dim]; clamped.
  [[nodiscard]] Heads operator()(const ParamSet& params, Var z) const;

 private:
  void add_pictures(const Site& site, const Config& config, std::int64_t channels,
                    const std::vector<HeadForm>& forms);
  [[nodiscard]] Var hidden(const ParamSet& params, Var z) const;
  Extents extents_;
  std::optional<PlaneDecoder> planes_;
  std::vector<Linear> dense_, heads_;
  std::vector<ConvTranspose2d> upward_, pictures_;
  std::optional<HeadMaker> maker_;
};

}  // namespace logpx::vae
