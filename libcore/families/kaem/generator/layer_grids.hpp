// The grids of a generator's layers, while they follow the inputs of their curves.
// [kaem/README 8]
#pragma once

#include "libcore/families/kaem/generator/generator.hpp"
#include "libcore/math/curve_grid.hpp"
#include "libcore/grad/params.hpp"

#include <cstdint>
#include <vector>

namespace logpx::kaem {

// Fourier and Chebyshev functions have none.
[[nodiscard]] bool has_grids(const Generator& generator);

// The grids of one layer of the generator as doubles, each with its domain.
class LayerGrids {
 public:
  LayerGrids(Generator& generator, std::int64_t layer);
  [[nodiscard]] CurveForm form() const { return layer_.options().form(); }
  [[nodiscard]] double tau(const ParamSet& params) const;
  // Grid and domain as they are here, coefficients as they are in the parameters.
  [[nodiscard]] GridCurves curves(ParamSet& params, std::int64_t feature);
  // Writes grids into the generator's state.
  void store();

 private:
  const SplineLayer& layer_;
  Tensor<float>& points_;
  Tensor<float>* spacing_;  // RBFs only
  std::vector<double> grid_, domains_;
};

}  // namespace logpx::kaem
