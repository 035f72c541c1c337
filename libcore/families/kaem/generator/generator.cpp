#include "libcore/families/kaem/generator/generator.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/det/functions.hpp"
#include "libcore/families/kaem/generator/generator_bodies.hpp"
#include "libcore/grad/ops_index.hpp"
#include "libcore/grad/ops_pointwise.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace logpx::kaem {
namespace {

constexpr std::int64_t most_units = 1 << 20;

[[noreturn]] void refuse_widths(const std::string& words) {
  fail(ErrorKind::usage, "--hidden",
       "is " + words + ", expected widths N,... from 1 to 1048576, or auto:D with D from 0 to 16");
}

std::unique_ptr<GeneratorBody> make_body(const BodyPlan& plan) {
  switch (plan.form.kind) {
    case GeneratorKind::kan: break;
    case GeneratorKind::cnn: return cnn_body(plan);
    case GeneratorKind::mlp: return mlp_body(plan);
    case GeneratorKind::seq: return seq_body(plan);
  }
  return kan_body(plan);
}

// Noise goes to the mean, or to the logits where these say the mean.
std::size_t noisy_head(std::span<const HeadForm> own) {
  const auto mean = std::ranges::find(own, "mean", &HeadForm::name);
  return mean == own.end() ? 0 : static_cast<std::size_t>(mean - own.begin());
}

}  // namespace

std::vector<std::int64_t> hidden_widths(const std::string& words, std::int64_t latents) {
  constexpr std::string_view automatic = "auto:";
  std::vector<std::int64_t> widths;
  if (words.starts_with(automatic)) {
    const auto depth = parse_integer(std::string_view(words).substr(automatic.size()));
    if (!depth || *depth < 0 || *depth > 16) refuse_widths(words);
    for (std::int64_t width = latents; std::ssize(widths) < *depth;)
      widths.push_back(width = 2 * width + 1);
  } else {
    for (const std::string& word : split_text(words, ',')) {
      const auto width = parse_integer(word);
      if (!width) refuse_widths(words);
      widths.push_back(*width);
    }
  }
  for (const std::int64_t width : widths)
    if (width < 1 || width > most_units) refuse_widths(words);
  return widths;
}

GeneratorForm fitted_form(GeneratorForm form, const Extents& extents) {
  if (form.kind == GeneratorKind::cnn) fit_to_pictures(form, extents);
  return form;
}

std::int64_t BodyPlan::per_dim() const {
  std::int64_t sum = 0;
  for (const HeadForm& head : heads) sum += head.per_dim;
  return sum;
}

void GeneratorBody::add_state(const Site& layer, const std::string& name, std::size_t number,
                              Tensor<float> values) {
  states_.push_back({name + std::to_string(number), layer.path() + '/' + name, std::move(values)});
}

Var GeneratorBody::state_input(Graph& graph, const std::string& input) const {
  const auto found = std::ranges::find(states_, input, &GeneratorState::input);
  LOGPX_ASSERT(found != states_.end());
  return graph.input(input, found->values.shape());
}

std::vector<Var> numbers_apart(Var all, std::span<const HeadForm> heads, std::int64_t dims) {
  if (heads.size() == 1) return {all};
  std::vector<std::int64_t> sizes;
  for (const HeadForm& head : heads) sizes.push_back(dims * head.per_dim);
  return split(all, -1, sizes);
}

Generator::Generator(const Site& site, const GeneratorForm& form, const Ends& ends,
                     std::vector<HeadForm> heads)
    : dims_(ends.extents.dims),
      body_(make_body({site, form, ends.latents, ends.extents, own_heads(heads)})),
      heads_(site, std::move(heads)),
      noisy_(noisy_head(heads_.own())) {}

Generator::~Generator() = default;

Likelihood::Heads Generator::operator()(const ParamSet& params, Var s,
                                        const Decoding& decoding) const {
  const Graph::Scope scope(s.graph(), "generator");
  std::vector<Var> numbers = (*body_)(params, s, decoding);
  if (decoding.noise) numbers[noisy_] = add(numbers[noisy_], *decoding.noise);
  return heads_(params, numbers);
}

NextPosition Generator::first_position(const ParamSet& params, Var s) const {
  NextPosition next = body_->position_wise()->first(params, s);
  next.numbers = heads_(params, next.numbers);
  return next;
}

NextPosition Generator::next_position(const ParamSet& params, const KnownPositions& known) const {
  NextPosition next = body_->position_wise()->next(params, known);
  next.numbers = heads_(params, next.numbers);
  return next;
}

std::int64_t Generator::noise_size() const { return dims_ * heads_.own()[noisy_].per_dim; }
bool Generator::takes_tokens() const { return body_->position_wise() != nullptr; }

const std::deque<GeneratorState>& Generator::states() const { return body_->states(); }

void Generator::bind(GraphInputs& inputs) const {
  for (const GeneratorState& state : states())
    if (inputs.holds(state.input))
      std::ranges::copy(state.values.span(), inputs.values(state.input).begin());
}

std::vector<TensorRef> Generator::state() {
  std::vector<TensorRef> all;
  for (GeneratorState& state : body_->states())
    all.push_back(TensorRef::of(state.name, state.values));
  return all;
}

std::int64_t Generator::spline_layers() const { return std::ssize(body_->splines()); }
const SplineLayer& Generator::spline_layer(std::int64_t k) const { return body_->splines()[at(k)]; }

Tensor<float>& Generator::values_of(const std::string& input) {
  const auto found = std::ranges::find(body_->states(), input, &GeneratorState::input);
  LOGPX_ASSERT(found != body_->states().end());
  return found->values;
}

Tensor<float>& Generator::grid(std::int64_t k) { return values_of("grid" + std::to_string(k)); }
Tensor<float>& Generator::spacing(std::int64_t k) {
  return values_of("spacing" + std::to_string(k));
}
std::int64_t Generator::normalised_layers() const {
  return std::ranges::count_if(
      states(), [](const GeneratorState& state) { return state.input.starts_with("statistics"); });
}
Tensor<float>& Generator::statistics(std::int64_t k) {
  return values_of("statistics" + std::to_string(k));
}

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
