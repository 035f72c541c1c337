#include "libcore/families/kaem/training/grid_moves.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/det/functions.hpp"
#include "libcore/families/kaem/generator/generator.hpp"
#include "libcore/families/kaem/layer_edges.hpp"
#include "libcore/grad/optim.hpp"
#include "libcore/math/blas.hpp"
#include "libcore/math/curve_grid.hpp"
#include "libcore/math/repeatable.hpp"
#include "libcore/math/resample.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>

namespace logpx::kaem {
namespace {

constexpr double furthest_input = 1e37;  // grids are floats, with room beyond their inputs

// As many draws as there are samples, by their weights.
std::vector<std::int64_t> drawn_by(std::span<const double> weights) {
  const std::vector<double> middle = {0.5};
  std::vector<std::int64_t> drawn(weights.size());
  resample(Resampler::systematic, weights, middle, drawn);
  return drawn;
}

}  // namespace

struct GridMoves::Layer {
  std::string name;  // for messages
  CurveForm form;
  double tau = 1, lowest = -std::numeric_limits<double>::infinity(),
         highest = std::numeric_limits<double>::infinity();
  std::int64_t features = 0;
  std::function<std::vector<double>(std::int64_t feature)> inputs;
  std::function<GridCurves(std::int64_t feature)> curves;
};

GridMoves::GridMoves(KaemModel& model, const FitOptions& options)
    : model_(model),
      options_(options),
      calendar_(options.grid_every, options.grid_decay),
      shown_([&model](std::int64_t rows, std::int64_t) { return layer_inputs_graph(model, rows); },
             {}) {}

void GridMoves::after(const StepPlace& place, WayOfTraining& training, Optimizer* optimizer) {
  const bool prior = options_.moves_grids(GridTargets::prior);
  const bool generator =
      options_.moves_grids(GridTargets::generator) && has_grids(model_.generator());
  if ((!prior && !generator) || !calendar_.due(place.step)) return;
  const ComputedBy how(numerics_);
  inputs_ = outside_ = 0;
  const GridSamples samples = training.grid_samples();
  if (generator) move_generator(place, samples.s);
  if (prior) move_prior(place, samples);
  facts_[moves] += 1;
  facts_[beyond] = inputs_ == 0 ? 0 : static_cast<double>(outside_) / static_cast<double>(inputs_);
  if (optimizer == nullptr) return;
  if (prior) optimizer->reset(model_.prior_tensors().coef);
  for (std::int64_t k = 0; generator && k < model_.generator().spline_layers(); ++k)
    optimizer->reset(model_.generator().spline_layer(k).coef());
}

// A diverged run ends here with an error: no grid can follow numbers without bounds.
void GridMoves::require_bounds(const Layer& layer, std::span<const double> inputs) {
  const auto refuse = [&](const std::string& what, double value) {
    fail(ErrorKind::numeric, layer.name,
         "its grids cannot follow " + what + " of " + to_text(value) + ": training has diverged");
  };
  if (!(layer.tau > 0 && std::isfinite(layer.tau))) refuse("a width", layer.tau);
  for (const double x : inputs)
    if (!(std::abs(x) <= furthest_input)) refuse("an input", x);
}

// At the first update curves are still the noise that they started as.
void GridMoves::move_features(const Layer& layer, const StepPlace& place) {
  const GridMove move{.ratio = options_.grid_ratio,
                      .pad = options_.grid_pad,
                      .lowest = layer.lowest,
                      .highest = layer.highest,
                      .tau = layer.tau,
                      .most_change = place.step == 0 ? std::numeric_limits<double>::infinity()
                                                     : GridMove().most_change};
  for (std::int64_t f = 0; f < layer.features; ++f) {
    std::vector<double> inputs = layer.inputs(f);
    require_bounds(layer, inputs);
    std::ranges::sort(inputs);
    const GridCurves curves = layer.curves(f);
    inputs_ += std::ssize(inputs);
    outside_ += count_outside(inputs, curves.domain);
    if (move_grid(layer.form, move, inputs, curves).fate == GridFate::rolled_back)
      facts_[kept] += 1;
  }
}

void GridMoves::move_prior(const StepPlace& place, const GridSamples& samples) {
  const PriorForm& form = model_.prior_form();
  PriorConstants& constants = model_.prior_constants();
  const std::vector<std::int64_t> drawn = drawn_by(samples.weights);
  const std::size_t count = drawn.size(), curves = form.is_mixture() ? 1 : at(form.n_q);
  const std::span<float> coef = model_.param_set().view(model_.prior_tensors().coef).span();
  const auto part = [&](auto all, std::int64_t feature) {
    const std::size_t own = all.size() / at(form.features());
    return all.subspan(at(feature) * own, own);
  };
  Layer layer{.name = "the prior",
              .form = form.energies.curves,
              .tau = det_exp(samples.rho),
              .features = form.features(),
              .inputs = {},
              .curves = {}};
  const BaseMeasure base = form.energies.base;
  if (base == BaseMeasure::uniform || base == BaseMeasure::lognormal) layer.lowest = 0;
  if (base == BaseMeasure::uniform) layer.highest = 1;
  layer.inputs = [&](std::int64_t feature) {
    std::vector<double> inputs;
    for (std::size_t c = 0; c < curves; ++c)
      for (const std::int64_t sample : drawn)
        inputs.push_back(samples.z[(at(feature) * curves + c) * count + at(sample)]);
    return inputs;
  };
  layer.curves = [&](std::int64_t feature) {
    return GridCurves{part(constants.grid.span(), feature), part(constants.domain.span(), feature),
                      part(coef, feature)};
  };
  move_features(layer, place);
}

void GridMoves::move_generator(const StepPlace& place, std::span<const float> s) {
  single_threaded_kernels();
  Generator& generator = model_.generator();
  const std::int64_t rows = std::ssize(s) / model_.prior_form().n_q;
  for (std::int64_t k = 0; k < generator.spline_layers(); ++k) {
    // Layer by layer: what a layer is given follows from the curves before it.
    const ExecutorPool::Loan loan = shown_.lend({rows});
    std::ranges::copy(s, loan.inputs().values("s").begin());
    generator.bind(loan.inputs());
    loan.executor().bind_parameters(model_.param_set().block());
    loan.executor().forward();
    const View<const float> given = loan.executor().output(layer_input_name(k));
    LayerGrids grids(generator, k);
    Layer layer{.name = "layer " + std::to_string(k) + " of the generator",
                .form = grids.form(),
                .tau = grids.tau(model_.param_set()),
                .features = given.shape.back(),
                .inputs = {},
                .curves = {}};
    layer.inputs = [&](std::int64_t feature) {
      std::vector<double> inputs;
      for (std::int64_t row = 0; row < rows; ++row)
        inputs.push_back(static_cast<double>(given[row * layer.features + feature]));
      return inputs;
    };
    layer.curves = [&](std::int64_t feature) { return grids.curves(model_.param_set(), feature); };
    move_features(layer, place);
    grids.store();
  }
}

}  // namespace logpx::kaem
