#include "libcore/families/kaem/layer_edges.hpp"

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

void widen(const ParamSet& params, const std::string& name, std::vector<double>& to) {
  const int tensor = params.find(name);
  if (tensor >= 0) std::ranges::copy(params.view(tensor).span(), to.begin());
}

EnergyForm form_of(const KaemModel& model, std::int64_t k) {
  const SplineLayer& layer = model.generator().spline_layer(k);
  const Shape& coef = model.param_set().infos()[at(layer.coef())].shape;
  const SplineOptions& options = layer.options();
  return {.features = coef[0],
          .curves_each = coef[1],
          .curves = options.form(),
          .activation = options.base,
          .start_tau = options.tau,
          .base = BaseMeasure::none};
}

// The domain of a feature serves here to give its curves their spacing.
void take_grid(const Generator& generator, const std::string& number, EnergyValues& values) {
  for (const GeneratorState& state : generator.states()) {
    if (state.input == "grid" + number) std::ranges::copy(state.values.span(), values.grid.begin());
    for (std::int64_t i = 0; state.input == "spacing" + number && i < values.form.features; ++i) {
      values.domain[at(2 * i)] = 0;
      values.domain[at(2 * i + 1)] =
          static_cast<double>(state.values[i]) * values.form.curves.intervals;
    }
  }
}

class MeasuredLayer {
 public:
  MeasuredLayer(const KaemModel& model, std::int64_t number)
      : input_(layer_input_name(number)), values_(layer_curves(model, number)) {
    edges_.layer = layer_path(model, number);
    edges_.inputs = values_.form.features;
    edges_.outputs = values_.form.curves_each;
    edges_.scores.resize(values_.form.edges());
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
  std::string input_;
  EnergyValues values_;
  LayerEdges edges_;
};

}  // namespace

std::string layer_input_name(std::int64_t k) { return "layer_input" + std::to_string(k); }

std::string layer_path(const KaemModel& model, std::int64_t k) {
  const int coef = model.generator().spline_layer(k).coef();
  const std::string& name = model.param_set().infos()[at(coef)].name;
  return name.substr(0, name.rfind('/'));
}

EnergyValues layer_curves(const KaemModel& model, std::int64_t k) {
  EnergyValues values(form_of(model, k));
  const ParamSet& params = model.param_set();
  const std::string path = layer_path(model, k);
  widen(params, path + "/coef", values.coef);
  widen(params, path + "/w_base", values.w_base);
  widen(params, path + "/w_spline", values.w_spline);
  if (const std::optional<int> rho = model.generator().spline_layer(k).rho())
    values.rho = static_cast<double>(params.view(*rho)[0]);
  take_grid(model.generator(), std::to_string(k), values);
  return values;
}

std::unique_ptr<Graph> layer_inputs_graph(const KaemModel& model, std::int64_t rows) {
  auto graph = std::make_unique<Graph>();
  const Var s = graph->input("s", {rows, model.prior_form().n_q});
  static_cast<void>(
      model.generator()(model.param_set(), s, {.layer_inputs = Decoding::Inputs::shown}));
  return graph;
}

std::vector<LayerEdges> layer_edges(const KaemModel& model, std::span<const float> s) {
  std::vector<MeasuredLayer> layers;
  for (std::int64_t k = 0; k < model.generator().spline_layers(); ++k)
    layers.emplace_back(model, k);
  if (layers.empty()) return {};
  const std::int64_t width = model.prior_form().n_q, count = std::ssize(s) / width;
  ExecutorPool shown(
      [&model](std::int64_t rows, std::int64_t) { return layer_inputs_graph(model, rows); }, {});
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
