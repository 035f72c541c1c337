#include "libcore/families/kaem/generator/layer_grids.hpp"

#include "libcore/base/index.hpp"
#include "libcore/det/functions.hpp"

#include <algorithm>
#include <optional>
#include <span>

namespace logpx::kaem {

bool has_grids(const Generator& generator) {
  return generator.spline_layers() > 0 && grid_size(generator.spline_layer(0).options().form()) > 0;
}

LayerGrids::LayerGrids(Generator& generator, std::int64_t layer)
    : layer_(generator.spline_layer(layer)),
      points_(generator.grid(layer)),
      spacing_(form().basis == CurveBasis::rbf ? &generator.spacing(layer) : nullptr),
      grid_(points_.span().begin(), points_.span().end()) {
  const std::size_t size = at(grid_size(form()));
  const std::size_t beyond = form().basis == CurveBasis::bspline ? at(form().degree) : 0;
  for (std::size_t first = 0; first < grid_.size(); first += size)
    domains_.insert(domains_.end(), {grid_[first + beyond], grid_[first + size - 1 - beyond]});
}

double LayerGrids::tau(const ParamSet& params) const {
  const std::optional<int> rho = layer_.rho();
  return rho ? det_exp(static_cast<double>(params.view(*rho)[0])) : layer_.options().tau;
}

GridCurves LayerGrids::curves(ParamSet& params, std::int64_t feature) {
  const std::span<float> coef = params.view(layer_.coef()).span();
  const std::size_t features = domains_.size() / 2, own = coef.size() / features,
                    size = grid_.size() / features;
  return {std::span(grid_).subspan(at(feature) * size, size),
          std::span(domains_).subspan(at(feature) * 2, 2), coef.subspan(at(feature) * own, own)};
}

void LayerGrids::store() {
  std::ranges::transform(grid_, points_.data(), [](double x) { return static_cast<float>(x); });
  for (std::int64_t i = 0; spacing_ != nullptr && i < spacing_->size(); ++i)
    (*spacing_)[i] =
        static_cast<float>((domains_[at(2 * i) + 1] - domains_[at(2 * i)]) / form().intervals);
}

}  // namespace logpx::kaem
