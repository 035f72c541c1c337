// The generator of a KAEM: from s, one number for each q, to the heads of a likelihood.
// [kaem/README 3.1]
//
//   kan   layers of curves, y_o = sum_i phi_io(s_i)
//   cnn   s as Q x 1 x 1, then transposed convolutions
//   mlp   dense layers
//   seq   position after position: a dense layer of what attention sees of those before
//
// What is no parameter, grids and running statistics, is an input of its graphs:
//
//   const Generator generate(site / "generator", form, {q, extents}, likelihood.heads());
//   const Likelihood::Heads heads = generate(params, s);
//   generate.bind(loan.inputs());
#pragma once

#include "libcore/families/kaem/generator/generator_bodies.hpp"
#include "libcore/grad/graph_inputs.hpp"
#include "libcore/grad/params.hpp"
#include "libcore/math/curve_grid.hpp"
#include "libcore/math/tensor_ref.hpp"
#include "libcore/model/heads.hpp"
#include "libcore/nn/spline_layer.hpp"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace logpx::kaem {

// "81,162", or "auto:D": D layers of 2n+1 units, n being the width before.   [KAEM eq. 12]
[[nodiscard]] std::vector<std::int64_t> hidden_widths(const std::string& words,
                                                      std::int64_t latents);
// Chooses what the form leaves open by the data: a data error for pictures that it cannot make, a
// usage error for lists that do not fit each other.
[[nodiscard]] GeneratorForm fitted_form(GeneratorForm form, const Extents& extents);

class Generator {
 public:
  struct Ends {
    std::int64_t latents = 1;  // Q
    Extents extents;
  };
  // The form comes from fitted_form().
  Generator(const Site& site, const GeneratorForm& form, const Ends& ends,
            std::vector<HeadForm> heads);
  ~Generator();

  // s [M,Q]. One decoding in a graph.
  [[nodiscard]] Likelihood::Heads operator()(const ParamSet& params, Var s,
                                             const Decoding& decoding = {}) const;
  [[nodiscard]] std::int64_t noise_size() const;
  [[nodiscard]] bool takes_tokens() const;
  // Where it takes tokens; the numbers of a position are then its heads.
  [[nodiscard]] std::int64_t state_width() const { return body_->position_wise()->state_width(); }
  [[nodiscard]] NextPosition first_position(const ParamSet& params, Var s) const;
  [[nodiscard]] NextPosition next_position(const ParamSet& params,
                                           const KnownPositions& known) const;

  // State; bind() fills the inputs of a graph that hold it, state() lists it for files.
  [[nodiscard]] const std::deque<GeneratorState>& states() const;
  void bind(GraphInputs& inputs) const;
  [[nodiscard]] std::vector<TensorRef> state();
  // Layer k has a grid [in,points] and spacings [in]; grid updates move them with coefficients.
  [[nodiscard]] std::int64_t spline_layers() const;
  [[nodiscard]] const SplineLayer& spline_layer(std::int64_t k) const;
  [[nodiscard]] Tensor<float>& grid(std::int64_t k);
  [[nodiscard]] Tensor<float>& spacing(std::int64_t k);
  // Means and variances of layer k under batch norm, [2,C], which follow what training sees.
  [[nodiscard]] std::int64_t normalised_layers() const;
  [[nodiscard]] Tensor<float>& statistics(std::int64_t k);

 private:
  [[nodiscard]] Tensor<float>& values_of(const std::string& input);
  std::int64_t dims_;
  std::unique_ptr<GeneratorBody> body_;
  HeadMaker heads_;
  std::size_t noisy_;  // the head that noise is added to
};

// The grids of a generator's layers, while they follow the inputs of their curves.
// [kaem/README 8]

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
