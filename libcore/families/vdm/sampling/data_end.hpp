// Where every way from noise to data ends: x given z_0, its mean or a draw.   [vdm/README 6.1, 10]
#pragma once

#include "libcore/base/rng.hpp"
#include "libcore/families/vdm/diffusion_model.hpp"

#include <span>
#include <vector>

namespace logpx::vdm {

class DataEnd {
 public:
  DataEnd(const DiffusionModel& model, double gamma_0);

  // The mean of p(x|z_0) [D] of one row, as networks read x.
  [[nodiscard]] std::vector<double> mean(std::span<const double> z) const;
  // A draw, as likelihoods read x: of levels by uniform numbers, of real ones by normals [D].
  struct Chance {
    Substream uniforms;
    std::span<const double> normals;
  };
  [[nodiscard]] std::vector<float> draw(std::span<const double> z, const Chance& chance) const;
  // x as networks read it, in the order and the units of samples.
  [[nodiscard]] std::vector<float> stored(std::span<const double> x) const;

 private:
  const DiffusionModel& model_;
  NoiseLevel level_;
  LevelDecoder decoder_;
};

}  // namespace logpx::vdm
