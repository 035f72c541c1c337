#include "libcore/families/kaem/generator/layer_edges.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/parallel.hpp"
#include "libcore/energy/feature_curves.hpp"
#include "libcore/families/kaem/model.hpp"
#include "libcore/grad/executor_pool.hpp"
#include "libcore/math/blas.hpp"

#include <algorithm>
#include <cmath>

namespace logpx::kaem {
namespace {

constexpr std::int64_t rows_measured_at_a_time = 256;

class MeasuredLayer {
 public:
  MeasuredLayer(const KaemModel& model, std::int64_t number)
      : input_("layer_input" + std::to_string(number)), values_(form_of(model, number)) {
    const ParamSet& params = model.param_set();
    const SplineLayer& layer = model.generator().spline_layer(number);
    const std::string coef = params.infos()[at(layer.coef())].name;
    edges_.layer = coef.substr(0, coef.rfind('/'));
    edges_.inputs = values_.form.features;
    edges_.outputs = values_.form.curves_each;
    edges_.scores.resize(values_.form.edges());
    widen(params, "/coef", values_.coef);
    widen(params, "/w_base", values_.w_base);
    widen(params, "/w_spline", values_.w_spline);
    if (layer.rho()) values_.rho = static_cast<double>(params.view(*layer.rho())[0]);
    take_grid(model.generator(), std::to_string(number));
  }

  // Adds |phi| of the rows of a decoding.
  void add(const Executor<float>& run, Workers& workers) {
    const View<const float> given = run.output(input_);
    const std::int64_t features = edges_.inputs, rows = given.size() / features;
    workers.run(features, [&](std::int64_t feature) {
      single_threaded_kernels();
      std::vector<double> x(at(rows)), phi(at(rows * edges_.outputs));
      for (std::int64_t i = 0; i < rows; ++i)
        x[at(i)] = static_cast<double>(given[i * features + feature]);
      const FeatureCurves<double> curves(values_, feature);
      CurvePoints<double> points;
      curves.set_points(x, With::values, points);
      curves.energies(points, Points::common, phi);
      for (std::size_t k = 0; k < phi.size(); ++k)
        edges_.scores[at(feature * edges_.outputs) + k / x.size()] += std::abs(phi[k]);
    });
  }
  [[nodiscard]] LayerEdges mean(std::int64_t rows) && {
    for (double& score : edges_.scores) score /= static_cast<double>(rows);
    return std::move(edges_);
  }

 private:
  static EnergyForm form_of(const KaemModel& model, std::int64_t number) {
    const SplineLayer& layer = model.generator().spline_layer(number);
    const Shape& coef = model.param_set().infos()[at(layer.coef())].shape;
    const SplineOptions& options = layer.options();
    return {.features = coef[0],
            .curves_each = coef[1],
            .curves = options.form(),
            .activation = options.base,
            .start_tau = options.tau,
            .base = BaseMeasure::none};
  }
  void widen(const ParamSet& params, const char* name, std::vector<double>& to) const {
    const int tensor = params.find(edges_.layer + name);
    if (tensor >= 0) std::ranges::copy(params.view(tensor).span(), to.begin());
  }
  // The domain of a feature is here what gives its curves their spacing.
  void take_grid(const Generator& generator, const std::string& number) {
    for (const GeneratorState& state : generator.states()) {
      if (state.input == "grid" + number)
        std::ranges::copy(state.values.span(), values_.grid.begin());
      for (std::int64_t i = 0; state.input == "spacing" + number && i < edges_.inputs; ++i) {
        values_.domain[at(2 * i)] = 0;
        values_.domain[at(2 * i + 1)] =
            static_cast<double>(state.values[i]) * values_.form.curves.intervals;
      }
    }
  }

  std::string input_;
  EnergyValues values_;
  LayerEdges edges_;
};

std::unique_ptr<Graph> shown_graph(const KaemModel& model, std::int64_t rows) {
  auto graph = std::make_unique<Graph>();
  const Var s = graph->input("s", {rows, model.prior_form().n_q});
  static_cast<void>(
      model.generator()(model.param_set(), s, {.layer_inputs = Decoding::Inputs::shown}));
  return graph;
}

}  // namespace

std::vector<LayerEdges> layer_edges(const KaemModel& model, std::span<const float> s) {
  std::vector<MeasuredLayer> layers;
  for (std::int64_t k = 0; k < model.generator().spline_layers(); ++k)
    layers.emplace_back(model, k);
  if (layers.empty()) return {};
  const std::int64_t width = model.prior_form().n_q, count = std::ssize(s) / width;
  ExecutorPool shown([&model](std::int64_t rows, std::int64_t) { return shown_graph(model, rows); },
                     {});
  Workers workers;
  for (std::int64_t first = 0; first < count; first += rows_measured_at_a_time) {
    const std::int64_t rows = std::min(rows_measured_at_a_time, count - first);
    const ExecutorPool::Loan loan = shown.lend({rows});
    std::ranges::copy(s.subspan(at(first * width), at(rows * width)),
                      loan.inputs().values("s").begin());
    model.generator().bind(loan.inputs());
    loan.executor().bind_parameters(model.param_set().block());
    loan.executor().forward();
    for (MeasuredLayer& layer : layers) layer.add(loan.executor(), workers);
  }
  std::vector<LayerEdges> all;
  for (MeasuredLayer& layer : layers) all.push_back(std::move(layer).mean(count));
  return all;
}

}  // namespace logpx::kaem
