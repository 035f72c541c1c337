#include "libcore/families/vae/prior_fit.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/given_options.hpp"
#include "libcore/base/index.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/math/blas.hpp"
#include "libcore/math/mixture_fit.hpp"
#include "libcore/model/parameters.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace logpx::vae {
namespace {

constexpr std::int64_t encoded_at_once = 256;
constexpr double usual_passes = 12;

// The E-step; its update is the M-step.
class CodesPhase final : public Phase {
 public:
  CodesPhase(VaeModel& model, std::span<const double> codes)
      : Phase({.name = "codes",
               .terms = {"nll"},
               .extra_sums = mixture_statistics(model.prior_params()->form()),
               .gradient = false,
               .update = Update::own}),
        model_(model),
        codes_(codes) {}

  void begin(const MicroBatch&) override { mixture_ = model_.prior(model_.param_set().block()); }

  void run(const Shard& shard, std::span<const float>, const ShardSums& sums) override {
    single_threaded_kernels();
    const auto dims = at(model_.latent());
    std::vector<double> z;
    for (const std::int64_t row : shard.rows) {
      const std::span<const double> code = codes_.subspan(at(row) * dims, dims);
      z.insert(z.end(), code.begin(), code.end());
    }
    const double nats = add_statistics(*mixture_, z, sums.terms.subspan(1));
    sums.terms[0] -= nats / static_cast<double>(shard.step_count);
  }

  void update(const StepPlace&, const PhaseSums& sums, Workers&) override {
    const MixtureParams& prior = *model_.prior_params();
    maximise_mixture(prior.form(), {}, sums.terms.subspan(1),
                     prior.numbers(model_.param_set().block()));
  }

 private:
  VaeModel& model_;
  std::span<const double> codes_;
  std::unique_ptr<const GaussianMixture> mixture_;
};

VaeModel& vae_of(Model& model) {
  auto* const vae = dynamic_cast<VaeModel*>(&model);
  if (vae == nullptr)
    fail(ErrorKind::data, "",
         "is a model of family " + model.info().family + ", expected one of family vae");
  if (vae->config().inference == Inference::none)
    fail(ErrorKind::data, "", "has no encoder, and a prior is fitted to what one gives");
  return *vae;
}

std::unique_ptr<const GaussianMixture> standard_normal(std::int64_t dims) {
  const MixtureForm form{.components = 1, .dims = dims, .covariance = Covariance::diagonal};
  const std::vector<float> one = {1}, zeros(at(dims)), ones(at(dims), 1.0F);
  return std::make_unique<const GaussianMixture>(
      form, MixtureNumbers<const float>{.weights = one, .means = zeros, .factors = ones});
}

}  // namespace

PriorFitTask::PriorFitTask(VaeModel& model, const TaskData& data, Rng rng,
                           std::unique_ptr<const GaussianMixture> before)
    : model_(model),
      data_(data),
      before_(before != nullptr ? std::move(before) : standard_normal(model.latent())),
      passes_(bound_passes(model, {})) {
  if (data_.valid) static_cast<void>(TrainingRows(model.reader(), *data_.valid));
  encode(rng);
  start(rng);
  phase_ = std::make_unique<CodesPhase>(model_, codes_);
}

PriorFitTask::~PriorFitTask() = default;

// One draw of q(z|x) for each row.
void PriorFitTask::encode(Rng rng) {
  const auto dims = at(model_.latent());
  const Substream noise = rng.stream(Stream::noise);
  for (std::int64_t first = 0; first < rows(); first += encoded_at_once) {
    const std::int64_t end = std::min(first + encoded_at_once, rows());
    const Rows held = data_.train.read(first, end);
    const Posterior q =
        encode_rows(model_, model_.encoders(), {data_.train.info, held, data_.train.first + first});
    for (std::size_t e = 0; e < q.mean.size(); ++e)
      codes_.push_back(static_cast<double>(q.mean[e]) +
                       std::exp(static_cast<double>(q.log_var[e]) / 2) *
                           normal_at(noise, at(first) * dims + e));
  }
}

// At the codes of some rows, with the deviations of all codes.
void PriorFitTask::start(Rng rng) {
  const MixtureParams& prior = *model_.prior_params();
  const MixtureForm& form = prior.form();
  if (form.components > rows())
    fail(ErrorKind::usage, "--fit-prior",
         "asks for " + std::to_string(form.components) + " components, and there are " +
             std::to_string(rows()) + " rows");
  const std::int64_t dims = form.dims;
  std::vector<double> mean(at(dims)), deviation(at(dims));
  const auto n = static_cast<double>(rows());
  for (std::size_t e = 0; e < codes_.size(); ++e) mean[e % at(dims)] += codes_[e] / n;
  for (std::size_t e = 0; e < codes_.size(); ++e) {
    const double off = codes_[e] - mean[e % at(dims)];
    deviation[e % at(dims)] += off * off / n;
  }
  for (double& value : deviation) value = std::sqrt(value) + 1e-3;
  std::vector<std::int64_t> order(at(rows()));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  Cursor words(rng.stream(Stream::init));
  std::vector<float> places;
  for (std::int64_t k = 0; k < form.components; ++k) {
    const auto other =
        k + static_cast<std::int64_t>(words.below(static_cast<std::uint32_t>(rows() - k)));
    std::swap(order[at(k)], order[at(other)]);
    for (std::int64_t j = 0; j < dims; ++j)
      places.push_back(static_cast<float>(codes_[at(order[at(k)] * dims + j)]));
  }
  start_mixture(form, places, deviation, prior.numbers(model_.param_set().block()));
}

TrainReads PriorFitTask::reads() const {
  return {.rate = false,
          .optimiser = false,
          .averages = false,
          .recomputation = false,
          .convolutions = false,
          .way = "--fit-prior"};
}

std::int64_t PriorFitTask::data_bytes() const {
  return data_.bytes() + std::ssize(codes_) * static_cast<std::int64_t>(sizeof(double));
}

PriorFitTask::Measured PriorFitTask::measured(std::span<const float> weights,
                                              const TaskRows& examples,
                                              const EvaluationMachine& machine) {
  enum Column { elbo, gain, square, columns };
  const std::int64_t rows = std::min(curve_rows, examples.count);
  const std::unique_ptr<const GaussianMixture> prior = model_.prior(weights);
  const auto add = [&](RowBlock block, std::span<double> sums) {
    single_threaded_kernels();
    const Rows held = examples.read(block.first, block.first + block.count);
    BoundPass pass(model_, passes_, {block.count, 1});
    model_.reader().take({examples.info, held, examples.first + block.first},
                         evaluation_noise(model_.reader().rules()), pass.x());
    pass.run(weights, Rng(1), {.row = examples.first + block.first});
    const std::vector<double> kl = pass.drawn_kl(*prior), before = pass.drawn_kl(*before_);
    for (std::int64_t i = 0; i < block.count; ++i) {
      const double more = before[at(i)] - kl[at(i)];
      sums[elbo] += pass.recon(0, i) - kl[at(i)];
      sums[gain] += more;
      sums[square] += more * more;
    }
  };
  const std::vector<double> sums = sum_over_rows(machine, {.rows = rows, .columns = columns}, add);
  const auto n = static_cast<double>(rows);
  const double mean = sums[gain] / n;
  return {sums[elbo] / n, mean, std::sqrt(std::max(sums[square] / n - mean * mean, 0.0) / n)};
}

Metrics PriorFitTask::evaluate(std::span<const float> weights, Workers& workers, Ranks& ranks) {
  const EvaluationMachine machine{workers, ranks, {}};
  const Measured train = measured(weights, data_.train, machine);
  Measured judged = train;
  Metrics metrics;
  if (data_.valid) {
    judged = measured(weights, *data_.valid, machine);
    metrics.emplace_back("elbo_valid", judged.elbo);
  }
  metrics.emplace_back("elbo_train", train.elbo);
  metrics.emplace_back("prior_gain", judged.gain);
  metrics.emplace_back("prior_gain_error", judged.error);
  return metrics;
}

std::vector<std::string> PriorFitTask::concerns(std::span<const float> weights, Workers& workers,
                                                Ranks& ranks) {
  std::vector<std::string> found;
  const MixtureParams& prior = *model_.prior_params();
  const auto given_up = std::ranges::count(prior.numbers(weights).weights, 0.0F);
  if (given_up > 0)
    found.push_back(std::to_string(given_up) + " of " + std::to_string(prior.form().components) +
                    " components were left without rows, and are not used");
  if (!data_.valid) return found;
  const Measured valid = measured(weights, *data_.valid, {workers, ranks, {}});
  if (valid.gain < 0)
    found.emplace_back(
        "rows held out are less probable than with the prior before: fewer components, or "
        "mixture:K,diag, may fit them better");
  return found;
}

void adopt_model(Settings& settings, const std::string& prior, Model& given_model,
                 const Fields& given) {
  const VaeModel& model = vae_of(given_model);
  Fields decided;
  Settings usual;
  usual.model.describe(decided);
  usual.objective.describe(decided);
  refuse_given(given, decided, prior_leaves_the_rest);
  for (const char* const option : {"--batch", "--accumulate"})
    if (is_given(given, option))
      fail(ErrorKind::usage, option,
           "does nothing with --fit-prior, a step of which sees all rows");
  if (settings.training.numerics() == repeatable_numerics)
    fail(ErrorKind::usage, "--numerics",
         "is det, and --fit-prior computes by this machine's products alone");
  settings.model = model.config();
  settings.model.prior = prior;
  if (!mixture_form(prior, model.latent(), "--fit-prior"))
    fail(ErrorKind::usage, "--fit-prior", "is normal, which is what models begin with");
  settings.objective = {};
  if (const Field* const epochs = given.find_option("--epochs");
      epochs == nullptr || epochs->origin() < Origin::config)
    settings.training.epochs = usual_passes;
}

Trainee make_prior_trainee(const Settings& settings, Model& given, const TaskData& data, Rng rng) {
  VaeModel& frozen = vae_of(given);
  auto model = std::make_unique<VaeModel>(settings.model, frozen.info().data);
  model->initialise(rng);
  copy_tensors(frozen, *model);
  auto task =
      std::make_unique<PriorFitTask>(*model, data, rng, frozen.prior(frozen.param_set().block()));
  Trainee trainee{std::move(model), std::move(task), settings.training};
  trainee.options.batch = data.train.count;
  return trainee;
}

}  // namespace logpx::vae
