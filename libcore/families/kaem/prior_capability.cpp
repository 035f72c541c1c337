#include "libcore/families/kaem/prior_capability.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/families/kaem/decoding.hpp"
#include "libcore/families/kaem/layer_edges.hpp"
#include "libcore/families/kaem/model.hpp"
#include "libcore/families/kaem/prior/prior_draws.hpp"

#include <algorithm>
#include <cmath>

namespace logpx::kaem {
namespace {

BaseDensity base_of(const EnergyValues& values, std::size_t owner) {
  using Kind = BaseDensity::Kind;
  switch (values.form.base) {
    case BaseMeasure::none: break;
    case BaseMeasure::uniform: return {.kind = Kind::uniform};
    case BaseMeasure::gaussian: return {.kind = Kind::gaussian};
    case BaseMeasure::lognormal: return {.kind = Kind::lognormal};
    case BaseMeasure::learnable_gaussian:
      return {.kind = Kind::gaussian,
              .mean = values.base_mean[owner],
              .sd = std::exp(values.base_log_sd[owner])};
  }
  return {};
}

std::unique_ptr<KaemModel> copy_of(const KaemModel& model) {
  auto copy = std::make_unique<KaemModel>(model.config(), model.info().data);
  std::ranges::copy(model.param_set().block(), copy->param_set().block().begin());
  copy->prior_constants() = model.prior_constants();
  if (model.axes() != nullptr) copy->take_axes(*model.axes());
  std::vector<TensorRef> to = copy->generator().state();
  for (std::size_t k = 0; k < to.size(); ++k)
    std::ranges::copy(std::as_bytes(model.generator().states()[k].values.span()),
                      to[k].bytes.begin());
  return copy;
}

// Changes a model in place. The numbers of what went become 0: a file has room for them still.
class Surgeon {
 public:
  explicit Surgeon(KaemModel& model) : model_(model) {}

  void operator()(const PriorChanges::Energy& energy) {
    const std::int64_t edge = edge_of({energy.q, energy.p});
    PriorConstants& constants = model_.prior_constants();
    if (constants.mask[edge] == static_cast<std::uint8_t>(CurveMask::removed)) return;
    const bool flat = energy.formula.function == 0 && energy.formula.d == 0;
    clear(edge, flat ? CurveMask::flat : CurveMask::live);
    if (flat) return;
    constants.add_formulas();
    constants.set_formula(edge, energy.formula);
  }
  void operator()(const PriorChanges::Removal& removal) {
    LOGPX_ASSERT(model_.prior_form().is_mixture());
    const Component place{removal.q, removal.p};
    clear(edge_of(place), CurveMask::removed);
    if (const std::optional<int> logits = model_.prior_tensors().alpha_logits)
      model_.param_set().view(
          *logits)[static_cast<std::int64_t>(model_.prior_form().number_of(place))] = 0;
  }
  void operator()(const PriorChanges::Edges& edges) {
    ParamSet& params = model_.param_set();
    for (const char* name : {"/coef", "/w_base", "/w_spline"}) {
      const int tensor = params.find(edges.layer + name);
      for (std::size_t edge = 0; tensor >= 0 && edge < edges.kept.size(); ++edge)
        if (!edges.kept[edge]) std::ranges::fill(part(tensor, edge, edges.kept.size()), 0.0F);
    }
  }

 private:
  [[nodiscard]] std::int64_t edge_of(Component c) const {
    const PriorForm& form = model_.prior_form();
    LOGPX_ASSERT(c.q >= 0 && c.q < form.n_q && c.p >= 0 && c.p < form.n_p);
    return form.feature_of(c) * form.energies.curves_each + form.curve_of(c);
  }
  // The numbers of one edge, of `edges` alike.
  [[nodiscard]] std::span<float> part(int tensor, std::size_t edge, std::size_t edges) {
    const std::span<float> all = model_.param_set().view(tensor).span();
    const std::size_t own = all.size() / edges;
    return all.subspan(edge * own, own);
  }
  void clear(std::int64_t edge, CurveMask mask) {
    const PriorTensors& tensors = model_.prior_tensors();
    const std::size_t edges = model_.prior_form().energies.edges();
    for (const std::optional<int> tensor :
         {std::optional(tensors.coef), tensors.w_base, tensors.w_spline})
      if (tensor) std::ranges::fill(part(*tensor, at(edge), edges), 0.0F);
    model_.prior_constants().mask[edge] = static_cast<std::uint8_t>(mask);
    model_.prior_constants().clear_formula(edge);
  }
  KaemModel& model_;
};

class KaemPrior final : public ModelPrior {
 public:
  explicit KaemPrior(const KaemModel& model)
      : model_(model), decoder_(model), noisy_decoder_(make_noisy_decoder(model)) {}

  [[nodiscard]] PriorShape shape() const override {
    const PriorForm& form = model_.prior_form();
    return {.latents = form.n_q,
            .parts = form.n_p,
            .is_mixture = form.is_mixture(),
            .is_shared = form.is_shared()};
  }

  [[nodiscard]] PriorComponent component(std::int64_t q, std::int64_t p) const override {
    const PriorValues& values = model_.values();
    const std::int64_t feature = values.form.feature_of({q, p}),
                       curve = values.form.curve_of({q, p});
    EnergyFunction energy = energy_function(values.energies, feature, curve);
    PriorComponent component{
        .q = q,
        .p = p,
        .breaks = std::move(energy.breaks),
        .energy = std::move(energy.f),
        .base = base_of(values.energies, values.energies.owner(feature, curve))};
    if (!values.form.is_mixture()) return component;
    std::vector<double> alpha(at(values.form.n_p));
    values.weights(q, alpha);
    component.weight = alpha[at(p)];
    return component;
  }

  [[nodiscard]] std::vector<double> draw(std::int64_t first, std::int64_t count,
                                         Rng rng) const override {
    return draw_rows(model_.components(), first, count, rng);
  }

  [[nodiscard]] std::vector<float> decode(std::span<const double> z,
                                          const std::optional<Noise>& noise) const override {
    const std::vector<float> s = sums(z);
    const std::int64_t width = model_.prior_form().n_q;
    if (!noise || model_.generator().takes_tokens()) return decoder_.mean(s);
    const std::int64_t count = std::ssize(s) / width, own = model_.generator().noise_size();
    std::vector<float> all, numbers(at(count * own));
    fill_normals(noise->rng.stream(Stream::noise), static_cast<std::uint64_t>(noise->first * own),
                 numbers);
    for (float& number : numbers) number *= static_cast<float>(noise->sd);
    for (std::int64_t i = 0; i < count; ++i) {
      all.insert(all.end(), s.begin() + i * width, s.begin() + (i + 1) * width);
      all.insert(all.end(), numbers.begin() + i * own, numbers.begin() + (i + 1) * own);
    }
    return noisy_decoder_.mean({model_.param_set().block(), all, width + own});
  }

  [[nodiscard]] std::vector<LayerEdges> edge_scores(std::span<const double> z) const override {
    return layer_edges(model_, sums(z));
  }

  [[nodiscard]] std::unique_ptr<Model> changed(const PriorChanges& changes) const override {
    std::unique_ptr<KaemModel> model = copy_of(model_);
    Surgeon change(*model);
    std::ranges::for_each(changes.energies, std::ref(change));
    std::ranges::for_each(changes.removals, std::ref(change));
    std::ranges::for_each(changes.edges, std::ref(change));
    model->prior_constants().check_formulas();
    model->set_normalisers();
    return model;
  }

 private:
  [[nodiscard]] std::vector<float> sums(std::span<const double> z) const {
    const PriorForm& form = model_.prior_form();
    std::vector<float> s(z.size() / at(form.z_dims()) * at(form.n_q));
    sum_rows(form, z, s);
    return s;
  }

  const KaemModel& model_;
  RowDecoder decoder_;
  LatentDecoder noisy_decoder_;
};

}  // namespace

std::unique_ptr<ModelPrior> make_prior(const KaemModel& model) {
  return std::make_unique<KaemPrior>(model);
}

}  // namespace logpx::kaem
