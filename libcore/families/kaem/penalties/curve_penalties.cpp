#include "libcore/families/kaem/penalties/curve_penalties.hpp"

#include "libcore/base/index.hpp"
#include "libcore/families/kaem/layer_edges.hpp"
#include "libcore/families/kaem/model.hpp"
#include "libcore/families/kaem/prior/prior_signals.hpp"
#include "libcore/math/blas.hpp"
#include "libcore/math/repeatable.hpp"

#include <algorithm>

namespace logpx::kaem {
namespace {

using Layer = CurvePenalties::Layer;

// Input `feature` of a layer on its own, at the samples.
struct OneInput {
  OneInput(const Layer& layer, std::int64_t feature)
      : values(layer.values.part(feature, 0, layer.values.form.curves_each)), curves(values, 0) {
    const std::size_t own = layer.inputs.size() / at(layer.values.form.features);
    points = std::span(layer.inputs).subspan(at(feature) * own, own);
  }
  EnergyValues values;
  FeatureCurves<float> curves;
  std::span<const double> points;
};

// Items of a phase are the inputs of all layers, one layer after another.
template <typename Use>
void for_inputs(const std::vector<Layer>& layers, const Shard& shard, Use use) {
  std::int64_t first = 0;
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const std::int64_t count = layers[l].values.form.features;
    for (std::int64_t f = 0; f < count; ++f)
      if (first + f >= shard.first && first + f < shard.first + shard.count) use(l, f);
    first += count;
  }
}

std::int64_t inputs_of(const std::vector<Layer>& layers) {
  std::int64_t count = 0;
  for (const Layer& layer : layers) count += layer.values.form.features;
  return count;
}
// Scores of all edges and, for each layer, the sums of its coefficients.
std::int64_t sums_of(const std::vector<Layer>& layers) {
  std::size_t count = 0;
  for (const Layer& layer : layers) count += layer.values.form.edges() + 2;
  return static_cast<std::int64_t>(count);
}

class EdgesPhase final : public Phase {
 public:
  explicit EdgesPhase(CurvePenalties& penalties)
      : Phase({.name = "edges",
               .terms = {},
               .extra_sums = sums_of(penalties.layers()),
               .items = inputs_of(penalties.layers()),
               .gradient = false,
               .update = Update::none}),
        penalties_(penalties) {}

  void begin(const MicroBatch& batch) override {
    if (batch.first > 0) return;
    single_threaded_kernels();
    const ComputedBy how(penalties_.numerics());
    penalties_.gather();
  }

  void run(const Shard& shard, std::span<const float>, const ShardSums& sums) override {
    single_threaded_kernels();
    const ComputedBy how(penalties_.numerics());
    SignalSpace space;
    for_inputs(penalties_.layers(), shard, [&](std::size_t l, std::int64_t feature) {
      std::span<double> rest = sums.terms;
      for (std::size_t before = 0; before < l; ++before)
        rest = rest.subspan(penalties_.layers()[before].values.form.edges() + 2);
      const Layer& layer = penalties_.layers()[l];
      OneInput input(layer, feature);
      const std::size_t curves = at(layer.values.form.curves_each);
      edge_scores(input.curves, {input.points, penalties_.weights()},
                  rest.subspan(at(feature) * curves, curves), space);
      const std::size_t functions = at(layer.values.functions);
      for (std::size_t c = 0; c < curves; ++c) {
        if (!input.values.is_curve(c)) continue;
        const CoefSums own =
            coef_sums(layer.values.form.curves,
                      std::span(input.values.coef).subspan(c * functions, functions));
        rest[layer.values.form.edges()] += own.size;
        rest[layer.values.form.edges() + 1] += own.steps;
      }
    });
  }

  void finish(const StepPlace&, const PhaseSums& sums) override {
    penalties_.take_scores(sums.terms);
  }

 private:
  CurvePenalties& penalties_;
};

std::vector<std::string> paths_of(const std::vector<Layer>& layers) {
  std::vector<std::string> paths;
  for (const Layer& layer : layers) paths.push_back(layer.path);
  return paths;
}

// The gradient of the charge; later phases update the parameters by it, too.
class CurvesPhase final : public Phase {
 public:
  explicit CurvesPhase(CurvePenalties& penalties)
      : Phase({.name = "curves",
               .terms = {"regulariser"},
               .items = inputs_of(penalties.layers()),
               .writes = paths_of(penalties.layers()),
               .update = Update::none}),
        penalties_(penalties) {}

  void run(const Shard& shard, std::span<const float>, const ShardSums& sums) override {
    single_threaded_kernels();
    const ComputedBy how(penalties_.numerics());
    for (const BlockRange& range : sums.written)
      std::fill(sums.gradient.begin() + range.begin, sums.gradient.begin() + range.end, 0.0F);
    if (shard.first == 0) sums.terms[0] = penalties_.charge();
    SignalSpace space;
    for_inputs(penalties_.layers(), shard, [&](std::size_t l, std::int64_t feature) {
      add_gradient(penalties_.layers()[l], feature, sums.gradient, space);
    });
  }

 private:
  void add_gradient(const Layer& layer, std::int64_t feature, std::span<float> block,
                    SignalSpace& space) const {
    OneInput input(layer, feature);
    const std::size_t curves = at(layer.values.form.curves_each),
                      functions = at(layer.values.functions);
    EnergyGradient gradient(input.values.form);
    const PriorPoints points{input.points, penalties_.weights()};
    std::vector<double> scores(curves);
    edge_scores(input.curves, points, scores, space);
    add_edge_gradient(input.curves, points,
                      std::span(layer.slopes).subspan(at(feature) * curves, curves), gradient,
                      space);
    for (double& g : gradient.coef) g = -g;
    for (std::size_t c = 0; c < curves; ++c)
      if (input.values.is_curve(c))
        add_coef_slopes(layer.values.form.curves,
                        std::span(input.values.coef).subspan(c * functions, functions), layer.coefs,
                        std::span(gradient.coef).subspan(c * functions, functions));
    add_to(block, layer.path + "/coef", feature, gradient.coef, 1);
    add_to(block, layer.path + "/w_base", feature, gradient.w_base, -1);
    add_to(block, layer.path + "/w_spline", feature, gradient.w_spline, -1);
    add_to(block, layer.path + "/rho", 0, gradient.rho, -1);
  }
  void add_to(std::span<float> block, const std::string& name, std::int64_t part,
              const std::vector<double>& values, double scale) const {
    const ParamSet& params = penalties_.parts().model.param_set();
    const int tensor = params.find(name);
    if (tensor < 0) return;
    const std::span<float> to =
        params.view(tensor, block).span().subspan(at(part) * values.size(), values.size());
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += static_cast<float>(scale * values[i]);
  }

  CurvePenalties& penalties_;
};

bool is_in(const std::vector<std::string>& list, const char* word) {
  return std::ranges::find(list, word) != list.end();
}

}  // namespace

CurvePenalties::CurvePenalties(Parts parts)
    : parts_(std::move(parts)),
      shown_([this](std::int64_t rows,
                    std::int64_t) { return layer_inputs_graph(parts_.model, rows); },
             {}) {
  if (parts_.options.charges(PenaltyTargets::prior) && is_in(parts_.trained, "prior"))
    layers_.push_back({EnergyValues(parts_.model.prior_form().energies), "prior", {}, {}, {}});
  if (!parts_.options.charges(PenaltyTargets::generator) || !is_in(parts_.trained, "generator"))
    return;
  for (std::int64_t k = 0; k < parts_.model.generator().spline_layers(); ++k)
    layers_.push_back({layer_curves(parts_.model, k), layer_path(parts_.model, k), {}, {}, {}});
}

CurvePenalties::~CurvePenalties() = default;

std::vector<std::unique_ptr<Phase>> CurvePenalties::phases() {
  std::vector<std::unique_ptr<Phase>> all;
  if (layers_.empty()) return all;
  all.push_back(std::make_unique<EdgesPhase>(*this));
  all.push_back(std::make_unique<CurvesPhase>(*this));
  return all;
}

void CurvePenalties::compute_by(const Numerics& numerics) {
  numerics_ = numerics;
  shown_.clear();
  shown_.request().numerics = numerics;
}

void CurvePenalties::gather() {
  const PenaltySamples samples = parts_.samples();
  weights_.assign(samples.weights.begin(), samples.weights.end());
  if (layers_.front().path == "prior") {
    layers_.front().values = samples.values.energies;
    layers_.front().inputs.assign(samples.z.begin(), samples.z.end());
  }
  if (layers_.back().path != "prior") add_generator(samples);
}

void CurvePenalties::add_generator(const PenaltySamples& samples) {
  single_threaded_kernels();
  const std::int64_t rows = std::ssize(samples.weights);
  const ExecutorPool::Loan loan = shown_.lend({rows});
  std::ranges::copy(samples.s, loan.inputs().values("s").begin());
  parts_.model.generator().bind(loan.inputs());
  loan.executor().bind_parameters(parts_.model.param_set().block());
  loan.executor().forward();
  const std::size_t first = layers_.front().path == "prior" ? 1 : 0;
  for (std::size_t l = first; l < layers_.size(); ++l) {
    const auto k = static_cast<std::int64_t>(l - first);
    layers_[l].values = layer_curves(parts_.model, k);
    const View<const float> given = loan.executor().output(layer_input_name(k));
    const std::int64_t features = given.shape.back();
    layers_[l].inputs.resize(at(rows * features));
    for (std::int64_t i = 0; i < given.size(); ++i)
      layers_[l].inputs[at(i % features * rows + i / features)] = static_cast<double>(given[i]);
  }
}

void CurvePenalties::take_scores(std::span<const double> sums) {
  const PenaltyOptions& o = parts_.options;
  charge_ = 0;
  for (Layer& layer : layers_) {
    const EnergyForm& form = layer.values.form;
    const std::span<const double> scores = sums.first(form.edges());
    layer.scores.assign(scores.begin(), scores.end());
    const auto curves = static_cast<double>(form.edges());
    const double numbers = curves * static_cast<double>(layer.values.functions),
                 pairs = curves * static_cast<double>(neighbours(form.curves));
    layer.coefs = {o.lambda * o.weights.coef / numbers,
                   pairs == 0 ? 0 : o.lambda * o.weights.steps / pairs};
    layer.slopes.resize(form.edges());
    edge_slopes(scores, o.weights, layer.slopes);
    for (double& slope : layer.slopes) slope *= o.lambda;
    const EdgeSize size = edge_size(scores);
    charge_ += o.lambda * (o.weights.l1 * size.l1 + o.weights.entropy * size.entropy) +
               layer.coefs.size * sums[form.edges()] + layer.coefs.steps * sums[form.edges() + 1];
    sums = sums.subspan(form.edges() + 2);
  }
}

}  // namespace logpx::kaem
