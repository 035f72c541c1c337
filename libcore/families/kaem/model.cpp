#include "libcore/families/kaem/model.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/hash.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/parallel.hpp"
#include "libcore/families/bound_pass.hpp"
#include "libcore/families/kaem/prior/prior_sums.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/math/repeatable.hpp"
#include "libcore/model/parameters.hpp"

#include <algorithm>
#include <cmath>

namespace logpx::kaem {
namespace {

constexpr double normaliser_tolerance = 1e-6;

void check_rising(const Tensor<double>& rows, const std::string& name) {
  const std::int64_t n = rows.shape().back();
  for (std::int64_t i = 0; i < rows.size(); ++i) {
    const double step = i % n == 0 ? 1 : rows[i] - rows[i - 1];
    if (std::isfinite(rows[i]) && step > 0 && std::isfinite(step)) continue;
    fail(ErrorKind::data, name,
         "element " + std::to_string(i) + " is " + to_text(rows[i]) +
             ", but numbers of a row must be finite and rise by finite steps");
  }
}

Shape with_copies(const Shape& shape, std::int64_t copies, std::int64_t rows) {
  std::vector<std::int64_t> sizes = {copies, rows};
  for (int axis = 1; axis < shape.rank(); ++axis) sizes.push_back(shape[axis]);
  return Shape(sizes);
}

std::optional<AxisReading> axes_of(const Config& config, const DatasetInfo& data) {
  if (config.pca == 0) return std::nullopt;
  return AxisReading(data.dims(), config.pca,
                     config.whiten ? AxisScale::whitened : AxisScale::as_they_are);
}

}  // namespace

KaemModel::KaemModel(const Config& config, const DatasetInfo& data)
    : config_(config),
      extents_((config.validate(data), config.extents(data))),
      prior_form_(config.prior_form()),
      likelihood_(config.make_likelihood(config.reading.levels(data))),
      axes_(axes_of(config, data)),
      reader_(config.reading.rules(config.chosen(), data), *likelihood_,
              "--likelihood " + config.likelihood, axes()),
      info_(reading_info("kaem", data, reader_.rules(), *likelihood_)),
      prior_tensors_(Site(params_, initialisers_) / "prior", prior_form_),
      prior_constants_(prior_form_),
      bound_passes_(logpx::bound_passes(*this, {})),
      encoders_(encoder_executors(*this)) {
  if (axes_) {
    info_.space = axes_->text();
    info_.level_bits.reset();
  }
  const Site site(params_, initialisers_);
  generator_ =
      std::make_unique<Generator>(site / "generator", config_.generator_form(extents_),
                                  Generator::Ends{prior_form_.n_q, extents_}, likelihood_->heads());
  if (config_.encoder_hidden) {
    encoder_.emplace(site / "encoder",
                     Encoder::Size{extents_.dims, *config_.encoder_hidden, latent()});
  }
}

KaemModel::~KaemModel() = default;

void KaemModel::initialise(Rng rng) {
  initialisers_.run(params_, rng);
  normalised_.emplace();
  renew();
}

void KaemModel::fit_axes(const Examples& examples) {
  if (!axes_) return;
  const auto dims = at(examples.info.dims());
  const RowNoise noise = evaluation_noise(reader_.rules());
  std::vector<float> row(dims);
  std::vector<double> rows;
  rows.reserve(at(examples.rows.count) * dims);
  for (std::int64_t i = 0; i < examples.rows.count; ++i) {
    row_values(examples.info, examples.rows, {.from = i, .number = examples.first + i},
               reader_.rules(), noise, row);
    for (std::size_t d = 0; d < dims; ++d)
      if (!std::isfinite(row[d]))
        fail(ErrorKind::data, examples.info.name,
             "row " + std::to_string(examples.first + i) + ", dimension " + std::to_string(d) +
                 " is " + to_text(row[d]) + ", which has no place on an axis");
    rows.insert(rows.end(), row.begin(), row.end());
  }
  axes_->fit(rows);
}

std::vector<TensorRef> KaemModel::axis_tensors() {
  return axes_ ? axes_->tensors() : std::vector<TensorRef>();
}

// Normalisers are made anew for the file, unless the model is about to be filled from one, which
// has them.
void KaemModel::params(const TensorVisitor& visit) {
  if (normalised_) set_normalisers();
  visit_parameters(params_, visit);
  PriorConstants& prior = prior_constants_;
  if (prior.grid.size() > 0) visit(TensorRef::of("prior/grid", prior.grid), TensorRole::constant);
  visit(TensorRef::of("prior/domain", prior.domain), TensorRole::constant);
  visit(TensorRef::of("prior/mask", prior.mask), TensorRole::constant);
  visit(TensorRef::of("prior/log_Z", prior.log_z), TensorRole::constant);
  if (prior.formula.size() > 0) {
    visit(TensorRef::of("prior/formula", prior.formula), TensorRole::constant);
    visit(TensorRef::of("prior/formula_numbers", prior.formula_numbers), TensorRole::constant);
  }
  for (const TensorRef& state : generator_->state()) visit(state, TensorRole::constant);
  for (const TensorRef& tensor : axis_tensors()) visit(tensor, TensorRole::constant);
  renew();
}

std::vector<TensorRef> KaemModel::grids() {
  std::vector<TensorRef> all = generator_->state();
  if (prior_constants_.grid.size() > 0)
    all.push_back(TensorRef::of("prior/grid", prior_constants_.grid));
  all.push_back(TensorRef::of("prior/domain", prior_constants_.domain));
  return all;
}

void KaemModel::limit_widths() {
  for (std::int64_t k = 0; k < generator_->spline_layers(); ++k)
    generator_->spline_layer(k).limit(params_);
  if (!prior_tensors_.rho || prior_form_.energies.curves.basis != CurveBasis::chebyshev) return;
  float& rho = params_.view(*prior_tensors_.rho)[0];
  rho = std::max(rho, 0.0F);
}

// The same on every machine, since they are stored.
std::vector<double> KaemModel::normalisers() const {
  const RepeatableFunctions repeatable;
  Workers alone(1);
  const PriorValues values = prior_values(params_.block());
  const std::vector<double> by_feature = log_normalisers(values.energies, alone);
  std::vector<double> all(by_feature.size());
  by_component(prior_form_, by_feature, all);
  return all;
}

std::string KaemModel::prior_hash() const {
  Sha256 hash;
  for (const BlockRange& range : params_.ranges(params_.under({"prior"})))
    hash.update(
        std::as_bytes(params_.block().subspan(at(range.begin), at(range.end - range.begin))));
  const PriorConstants& prior = prior_constants_;
  hash.update(std::as_bytes(prior.grid.span()));
  hash.update(std::as_bytes(prior.domain.span()));
  hash.update(std::as_bytes(prior.mask.span()));
  hash.update(std::as_bytes(prior.formula.span()));
  hash.update(std::as_bytes(prior.formula_numbers.span()));
  return hash.hex();
}

void KaemModel::set_normalisers() {
  std::string hash = prior_hash();
  if (hash == normalised_) return;
  normalised_ = std::move(hash);
  const std::vector<double> log_z = normalisers();
  std::ranges::copy(log_z, prior_constants_.log_z.data());
}

void KaemModel::check_mask() const {
  constexpr auto removed = static_cast<std::uint8_t>(CurveMask::removed);
  const std::span<const std::uint8_t> mask = prior_constants_.mask.span();
  for (std::size_t i = 0; i < mask.size(); ++i)
    if (mask[i] > removed)
      fail(ErrorKind::data, "prior/mask",
           "element " + std::to_string(i) + " is " + std::to_string(mask[i]) +
               ", expected 0, 1 or 2");
  for (std::int64_t q = 0; prior_form_.is_mixture() && q < prior_form_.n_q; ++q) {
    const auto parts = mask.subspan(at(q * prior_form_.n_p), at(prior_form_.n_p));
    if (std::ranges::count(parts, removed) == prior_form_.n_p)
      fail(ErrorKind::data, "prior/mask", "removes every component of latent " + std::to_string(q));
  }
}

void KaemModel::filled() {
  const PriorConstants& prior = prior_constants_;
  if (prior.grid.size() > 0) check_rising(prior.grid, "prior/grid");
  check_rising(prior.domain, "prior/domain");
  check_mask();
  if (axes_) axes_->check();
  prior.check_formulas();
  const std::vector<double> log_z = normalisers();
  for (std::size_t i = 0; i < log_z.size(); ++i) {
    const double stored = prior.log_z.data()[i];
    if (std::abs(stored - log_z[i]) <= normaliser_tolerance * (1 + std::abs(log_z[i]))) continue;
    fail(ErrorKind::data, "prior/log_Z",
         "element " + std::to_string(i) + " is " + to_text(stored) + ", but the densities give " +
             to_text(log_z[i]));
  }
  normalised_ = prior_hash();
  renew();
}

PriorValues KaemModel::prior_values(std::span<const float> theta) const {
  PriorValues values(prior_form_);
  take_prior(theta, values);
  return values;
}

void KaemModel::take_prior(std::span<const float> theta, PriorValues& values) const {
  values.take(prior_tensors_, {params_, theta}, prior_constants_);
}

void KaemModel::renew() {
  const std::lock_guard lock(mutex_);
  values_.reset();
  components_.reset();
  scores_.reset();
}

const PriorValues& KaemModel::values() const {
  const std::lock_guard lock(mutex_);
  if (values_ == nullptr) values_ = std::make_unique<PriorValues>(prior_values(params_.block()));
  return *values_;
}

const PriorComponents& KaemModel::components() const {
  const PriorValues& numbers = values();
  const std::lock_guard lock(mutex_);
  if (components_ == nullptr) {
    Workers workers;
    components_ = std::make_unique<PriorComponents>(numbers, InversionOptions{}, workers);
  }
  return *components_;
}

const NormalScores& KaemModel::scores() const {
  const PriorValues& numbers = values();
  const std::lock_guard lock(mutex_);
  if (scores_ == nullptr) {
    Workers workers;
    scores_ = std::make_unique<NormalScores>(normal_scores(numbers, workers));
  }
  return *scores_;
}

EncodedGaussian KaemModel::encode(Var x) const {
  LOGPX_ASSERT(has_encoder());
  return (*encoder_)(params_, network_values(*likelihood_, x));
}

Var KaemModel::log_likelihood(const Likelihood::Target& target, Var v) const {
  const auto now = [this]() -> const NormalScores& { return scores(); };
  const Var nats = log_prob(target, heads(prior_sums(prior_form_, now, v)));
  return reader_.log_jacobian() == 0 ? nats : affine(nats, 1, reader_.log_jacobian());
}

Likelihood::Heads KaemModel::heads(Var s, Decoding decoding) const {
  if (generator_->takes_tokens())
    decoding.tokens = s.graph().index_input("tokens", {s.shape()[0], dims()});
  return generator()(params_, s, decoding);
}

Var KaemModel::log_prob(const Likelihood::Target& target, Likelihood::Heads heads) const {
  const std::int64_t rows = target.x.shape()[0];
  for (Var& head : heads)
    if (head.shape().rank() > 0)
      head = head.reshape(with_copies(head.shape(), head.shape()[0] / rows, rows));
  return likelihood_->log_prob(target, heads);
}

void KaemModel::bind(GraphInputs& inputs) const {
  generator_->bind(inputs);
  if (generator_->takes_tokens()) fill_index(inputs.values("x"), inputs.indices("tokens"));
}

}  // namespace logpx::kaem
