// Generators for which x is a plain vector: layers of curves (kan) and dense layers (mlp).
#include "libcore/base/error.hpp"
#include "libcore/families/kaem/generator/generator_bodies.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/math/curve_grid.hpp"
#include "libcore/nn/mlp.hpp"
#include "libcore/nn/norm.hpp"

#include <algorithm>

namespace logpx::kaem {
namespace {

std::vector<std::int64_t> widths_of(const BodyPlan& plan) {
  std::vector<std::int64_t> widths = {plan.latents};
  widths.insert(widths.end(), plan.form.hidden.begin(), plan.form.hidden.end());
  widths.push_back(plan.extents.dims * plan.per_dim());
  return widths;
}

// The same row for each of `features`.
Tensor<float> for_each_feature(const std::vector<double>& row, std::int64_t features) {
  Tensor<float> all({features, std::ssize(row)});
  for (std::int64_t i = 0; i < all.size(); ++i)
    all[i] = static_cast<float>(row[static_cast<std::size_t>(i % std::ssize(row))]);
  return all;
}

class KanBody final : public GeneratorBody {
 public:
  explicit KanBody(const BodyPlan& plan)
      : form_(plan.form), dims_(plan.extents.dims), heads_(plan.heads.begin(), plan.heads.end()) {
    const std::vector<std::int64_t> widths = widths_of(plan);
    for (std::size_t k = 0; k + 1 < widths.size(); ++k) {
      const std::string number = std::to_string(k);
      if (form_.layer_norm) norms_.emplace_back(plan.site / ("norm" + number), widths[k]);
      const Site layer = plan.site / ("layer" + number);
      const SplineOptions options = options_of(k);
      splines_.emplace_back(layer, widths[k], widths[k + 1], options);
      add_grid(layer, k, options, widths[k]);
    }
  }

  [[nodiscard]] std::vector<Var> operator()(const ParamSet& params, Var s,
                                            const Decoding& decoding) const override {
    Var x = s;
    for (std::size_t k = 0; k < splines_.size(); ++k) {
      const std::string number = std::to_string(k);
      if (form_.layer_norm) x = norms_[k](params, x);
      if (k > 0) x = in_range(x);
      if (decoding.layer_inputs == Decoding::Inputs::shown)
        x.graph().output("layer_input" + number, x);
      const CurveForm form = form_.spline.form();
      SplineGrid grid;
      if (grid_size(form) > 0) grid.points = state_input(x.graph(), "grid" + number);
      if (form.basis == CurveBasis::rbf) grid.spacing = state_input(x.graph(), "spacing" + number);
      x = splines_[k](params, x, grid);
    }
    return numbers_apart(x, heads_, dims_);
  }

 private:
  // Hidden layers get numbers from 0 to 1 where a range is asked for.
  [[nodiscard]] SplineOptions options_of(std::size_t layer) const {
    SplineOptions options = form_.spline;
    const bool unit = layer > 0 && form_.range_fix != RangeFix::none;
    options.low = unit ? 0 : form_.low;
    options.high = unit ? 1 : form_.high;
    return options;
  }
  void add_grid(const Site& layer, std::size_t k, const SplineOptions& options,
                std::int64_t features) {
    const CurveForm form = options.form();
    const std::vector<double> grid =
        grid_of(form, uniform_grid(options.low, options.high, form.intervals));
    if (grid.empty()) return;
    add_state(layer, "grid", k, for_each_feature(grid, features));
    if (form.basis != CurveBasis::rbf) return;
    Tensor<float> spacing({features});
    std::ranges::fill(spacing.span(),
                      static_cast<float>((options.high - options.low) / form.intervals));
    add_state(layer, "spacing", k, std::move(spacing));
  }
  // affine takes the domain of the curves to [0, 1].
  [[nodiscard]] Var in_range(Var x) const {
    switch (form_.range_fix) {
      case RangeFix::none: break;
      case RangeFix::sigmoid: return sigmoid(x);
      case RangeFix::affine:
        return affine(x, 1 / (form_.high - form_.low), form_.low / (form_.low - form_.high));
    }
    return x;
  }

  GeneratorForm form_;
  std::int64_t dims_;
  std::vector<HeadForm> heads_;
  std::vector<LayerNorm> norms_;
};

class MlpBody final : public GeneratorBody {
 public:
  explicit MlpBody(const BodyPlan& plan)
      : dims_(plan.extents.dims),
        heads_(plan.heads.begin(), plan.heads.end()),
        layers_(plan.site / "", widths_of(plan),
                {.hidden = plan.form.activation, .weights = {Init::Rule::glorot_normal}}) {}

  [[nodiscard]] std::vector<Var> operator()(const ParamSet& params, Var s,
                                            const Decoding&) const override {
    return numbers_apart(layers_(params, s), heads_, dims_);
  }

 private:
  std::int64_t dims_;
  std::vector<HeadForm> heads_;
  Mlp layers_;
};

}  // namespace

std::unique_ptr<GeneratorBody> kan_body(const BodyPlan& plan) {
  return std::make_unique<KanBody>(plan);
}
std::unique_ptr<GeneratorBody> mlp_body(const BodyPlan& plan) {
  return std::make_unique<MlpBody>(plan);
}

}  // namespace logpx::kaem
