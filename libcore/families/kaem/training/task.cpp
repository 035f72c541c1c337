#include "libcore/families/kaem/training/task.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/families/kaem/chains/chain_training.hpp"
#include "libcore/families/kaem/encoder/joint_training.hpp"
#include "libcore/families/kaem/importance_scoring.hpp"
#include "libcore/math/blas.hpp"
#include "libcore/math/repeatable.hpp"
#include "libcore/train/ranks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace logpx::kaem {
namespace {

constexpr std::int64_t dims_samples = 1000;  // for latent_dims

std::unique_ptr<WayOfTraining> way_of(KaemModel& model, const FitOptions& options,
                                      const TrainingRows& rows, const TaskData& data) {
  if (options.langevin.has_chains())
    return std::make_unique<ChainTraining>(model, options, rows, data.train.count);
  if (options.langevin.has_encoder())
    return std::make_unique<JointTraining>(model, options, rows, data);
  return std::make_unique<ImportanceTraining>(model, options, rows);
}

}  // namespace

KaemTask::KaemTask(KaemModel& model, const FitOptions& options, TaskData data)
    : model_(model),
      options_(options),
      data_(std::move(data)),
      rows_(model.reader(), data_.train),
      training_(way_of(model, options, rows_, data_)),
      grids_(model, options) {
  options.validate(model.config());
  if (const std::optional<Reach> beyond = out_of_reach(); options.strict && beyond)
    fail(ErrorKind::data, data_.train.info.name, beyond->text, beyond->remedy);
  if (data_.valid) static_cast<void>(TrainingRows(model.reader(), *data_.valid));
}

KaemTask::~KaemTask() = default;

std::vector<TensorRef> KaemTask::state() {
  std::vector<TensorRef> all = grids_.state();
  for (const TensorRef& tensor : training_->state()) all.push_back(tensor);
  for (const TensorRef& tensor : model_.grids()) all.push_back(tensor);
  for (const TensorRef& tensor : model_.axis_tensors()) all.push_back(tensor);
  return all;
}

std::int64_t KaemTask::data_bytes() const { return data_.bytes() + training_->bytes(); }

std::int64_t KaemTask::preparation_bytes() const {
  return model_.axes() == nullptr ? 0 : model_.axes()->bytes_to_fit(rows());
}

bool KaemTask::follows_length() const { return options_.langevin.follows_length(); }

void KaemTask::compute_by(const Numerics& numerics) {
  numerics_ = numerics;
  training_->compute_by(numerics);
  grids_.compute_by(numerics);
  TrainingTask::compute_by(numerics);
}

void KaemTask::updated(const StepPlace& place, Optimizer* optimizer) {
  model_.limit_widths();
  grids_.after(place, *training_, optimizer);
}

std::vector<float> KaemTask::draw_sums(std::span<const float> weights, std::int64_t samples,
                                       Workers& workers) const {
  const PriorForm& form = model_.prior_form();
  const PriorValues values = model_.prior_values(weights);
  PriorDraws draws;
  resize_draws(form, samples, draws);
  prior_uniforms(form, Rng(1).stream(Stream::evaluation), 0, draws.u);
  workers.run(form.features(), [&](std::int64_t feature) {
    const ComputedBy how(numerics_);
    EnergyTables tables(values.energies, feature, Inversion::hermite);
    DrawSpace space;
    draw_feature(values, tables, draws, space);
  });
  std::vector<float> s(at(samples * form.n_q));
  latent_sums(form, draws, s);
  return s;
}

KaemTask::Evidence KaemTask::evidence(const SampleScores& scores, const TaskRows& examples,
                                      const EvaluationMachine& machine) const {
  const std::int64_t rows = std::min(curve_rows, examples.count);
  const auto add = [&](RowBlock block, std::span<double> sums) {
    single_threaded_kernels();
    const ComputedBy how(machine.numerics);
    const Rows held = examples.read(block.first, block.first + block.count);
    std::vector<float> x(at(block.count * model_.dims()));
    model_.reader().take({examples.info, held, examples.first + block.first},
                         evaluation_noise(model_.reader().rules()), x);
    const ImportanceRows found = importance_rows(scores, x, examples.first + block.first);
    for (std::size_t i = 0; i < found.nats.size(); ++i) {
      sums[0] += found.nats[i];
      sums[1] += found.nats[i] * found.nats[i];
      sums[2] += found.ess[i];
    }
  };
  const std::vector<double> sums = sum_over_rows(machine, {.rows = rows, .columns = 3}, add);
  const auto n = static_cast<double>(rows);
  const double mean = sums[0] / n, variance = std::max(sums[1] / n - mean * mean, 0.0);
  return {.mean = mean + model_.reader().log_jacobian(),
          .std_error = std::sqrt(variance / std::max(n - 1, 1.0)),
          .ess = sums[2] / n};
}

// log_evidence of rows that chose nothing, or of the training rows.
Metrics KaemTask::evidence_metrics(std::span<const float> weights, std::span<const float> s,
                                   const EvaluationMachine& machine) const {
  const std::unique_ptr<SampleScores> scores = sample_scores(model_, numerics_);
  scores->take(weights, s);
  const bool valid = data_.valid.has_value();
  const Evidence found = evidence(*scores, valid ? *data_.valid : data_.train, machine);
  const std::string name = valid ? "log_evidence_valid" : "log_evidence_train";
  return {{name, found.mean}, {name + "_se", found.std_error}};
}

Metrics KaemTask::evaluate(std::span<const float> weights, Workers& workers, Ranks& ranks) {
  const EvaluationMachine machine{workers, ranks, numerics_};
  const std::int64_t samples = options_.eval_samples, latents = model_.prior_form().n_q;
  const std::vector<float> s = draw_sums(weights, std::max(samples, dims_samples), workers);
  std::optional<Metrics> bound = training_->bound(weights, machine);
  Metrics metrics =
      bound ? std::move(*bound)
            : evidence_metrics(weights, std::span(s).first(at(samples * latents)), machine);
  for (const Metrics::value_type& metric : training_->metrics()) metrics.push_back(metric);
  metrics.emplace_back("outside", grids_.outside());
  metrics.emplace_back("grid_updates", grids_.moved());
  metrics.emplace_back("grid_rolled_back", grids_.rolled_back());
  metrics.emplace_back("latent_dims",
                       used_dims(std::span(s).first(at(dims_samples * latents)), latents));
  return metrics;
}

std::vector<std::string> KaemTask::concerns(std::span<const float>, Workers&, Ranks&) {
  std::vector<std::string> found = training_->concerns();
  if (const std::optional<Reach> beyond = out_of_reach())
    found.push_back("the data " + beyond->text + "; try " + beyond->remedy);
  return found;
}

std::optional<KaemTask::Reach> KaemTask::out_of_reach() const {
  const Squash squash = model_.likelihood().heads()[0].squash;
  const bool reads_reals = model_.likelihood().takes() == ValuesOfX::reals;
  if (!reads_reals || squash == Squash::none) return std::nullopt;
  const float low = squash == Squash::sigmoid ? 0 : -1;
  const RowNoise noise = evaluation_noise(model_.reader().rules());
  std::vector<float> x(at(model_.dims()));
  float least = std::numeric_limits<float>::infinity(), most = -least;
  data_.train.visit([&](const Examples& part) {
    for (std::int64_t i = 0; i < part.rows.count; ++i) {
      model_.reader().take_row(part.info, part.rows, {.from = i, .number = part.first + i}, noise,
                               x);
      const auto [smallest, largest] = std::ranges::minmax(x);
      least = std::min(least, smallest);
      most = std::max(most, largest);
    }
  });
  if (least >= low && most <= 1) return std::nullopt;
  return Reach{"lie from " + four_digits(static_cast<double>(least)) + " to " +
                   four_digits(static_cast<double>(most)) + ", but the mean of x only from " +
                   std::to_string(static_cast<int>(low)) + " to 1",
               "--mean-activation identity"};
}

double used_dims(std::span<const float> rows, std::int64_t dims) {
  const std::size_t d = at(dims), n = rows.size() / d;
  std::vector<double> mean(d), covariance(d * d), row(d);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < d; ++j) mean[j] += static_cast<double>(rows[i * d + j]);
  for (double& m : mean) m /= static_cast<double>(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < d; ++j) row[j] = static_cast<double>(rows[i * d + j]) - mean[j];
    for (std::size_t j = 0; j < d; ++j)
      for (std::size_t k = 0; k < d; ++k) covariance[j * d + k] += row[j] * row[k];
  }
  double trace = 0, squares = 0;
  for (std::size_t j = 0; j < d; ++j) trace += covariance[j * d + j];
  for (const double c : covariance) squares += c * c;
  return squares == 0 ? 0 : trace * trace / squares;
}

}  // namespace logpx::kaem
