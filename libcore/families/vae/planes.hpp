// Latents that lie in planes over the picture, by convolutions alone.   [vae/README 4.5]
//
//   one list    z at a quarter of the picture's sides: x -> 1/2 -> 1/4 = z,  and back
//   two lists   z_0 at a half, z_1 at a quarter:  x given z_0,  z_0 = m(z_1) + s(z_1) e_0
//
// The latents of the second are e_0 and z_1, which are N(0, I) before x is known.
#pragma once

#include "libcore/families/vae/config.hpp"
#include "libcore/model/heads.hpp"
#include "libcore/nn/conv.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace logpx::vae {

// So many channels, scaled by --conv-width; convolutions that halve or double sides.
[[nodiscard]] std::int64_t channels_of(const Config& config, double plain);
[[nodiscard]] ConvLayerOptions conv_options(const Config& config, Activation activation);

class PlaneEncoder {
 public:
  PlaneEncoder(const Site& site, const Config& config, const Extents& extents);
  struct Numbers {
    Var mean, log_var;  // [M,J]
  };
  [[nodiscard]] Numbers operator()(const ParamSet& params, Var picture) const;  // [M,C,H,W]

 private:
  std::vector<LatentPlanes> planes_;
  std::vector<Conv2d> downward_, means_, log_vars_;
};

class PlaneDecoder {
 public:
  PlaneDecoder(const Site& site, const Config& config, const Extents& extents);
  [[nodiscard]] std::int64_t channels() const { return channels_; }
  // z [M,J] to [M,channels,H/2,W/2].
  [[nodiscard]] Var operator()(const ParamSet& params, Var z) const;

 private:
  struct Conditional {  // of z_0 given what is above it
    Conv2d mean, log_var, after;
  };
  std::vector<LatentPlanes> planes_;
  std::int64_t channels_;
  std::optional<Conv2d> top_;
  std::optional<ConvTranspose2d> upward_;
  std::optional<Conditional> lower_;
};

}  // namespace logpx::vae
