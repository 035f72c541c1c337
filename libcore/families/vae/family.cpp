#include "libcore/families/vae/family.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/given_options.hpp"
#include "libcore/families/bound_scoring.hpp"
#include "libcore/families/synthetic_rows.hpp"
#include "libcore/families/vae/baselines/gradients.hpp"
#include "libcore/families/vae/codec.hpp"
#include "libcore/families/vae/sample.hpp"
#include "libcore/families/vae/task.hpp"
#include "libcore/model/column_reading.hpp"
#include "libcore/model/latent_sampling.hpp"
#include "libcore/model/ordered_values.hpp"

namespace logpx::vae {
namespace {

void paper(Settings& s) {  // [AEVB sec. 5]
  s.model.init = "normal:0.1";
  s.model.init_output_bias = OutputBias::zero;
  s.objective.weight_prior = "normal:1";
  s.training.optimizer.rule = OptimizerRule::adagrad;
  s.training.lr.text = "auto";
}

void paper_frey(Settings& s) {
  paper(s);
  s.model.hidden = {200};
  s.model.latent = 10;
  s.model.likelihood = "gaussian";
  s.model.mean_activation = Squash::sigmoid;
}

void modern(Settings&) {}  // the defaults

void small(Settings& s) { s.model.hidden = {100}; }

void tiny(Settings& s) {
  s.model.hidden = {16};
  s.model.latent = 2;
  s.training.epochs = 2;
}

void context(Settings& s) {
  s.model.context = 24;
  s.model.context_hidden = {64, 64, 64};
  s.model.hidden = {64};
  s.model.latent = 24;
  s.model.likelihood = "logistic-mix256";
  s.training.batch = 8;  // rows of hundreds of pixels, each of which the network learns from
  s.training.shards = 2;
  s.training.lr = 0.007;
  s.training.lr_schedule = Curve::cosine;
  s.training.epochs = 5;  // five minutes of two cores for MNIST
}

void bits_back(Settings& s) {
  s.model.hidden = {200};
  s.model.latent = 50;
  s.model.likelihood = "beta-binomial";
  s.model.activation = Activation::relu;
  s.training.lr = 0.002;
  s.training.lr_schedule = Curve::cosine;
  s.training.epochs = 20;
}

void ppca(Settings& s) {
  s.model.encoder = NetworkKind::linear;
  s.model.likelihood = "gaussian-fixed";
  s.model.obs_std = "learn";
  s.model.init = "normal:0.1";
  s.model.latent = 2;
  s.objective.samples = 16;
  s.training.lr = 0.05;
  s.training.lr_schedule = Curve::cosine;
  s.training.steps = 30'000;
}

}  // namespace

Settings::Settings() { training.lr_candidates = {0.01, 0.02, 0.1}; }  // [AEVB sec. 5]

void Settings::describe(Fields& f) {
  model.describe(f);
  objective.describe(f);
  training.describe(f);
}

const Presets<Settings>& Settings::presets() {
  static const Presets<Settings> all = {
      {"modern", modern, "the defaults: adam and a tanh network of 500"},
      {"tiny", tiny, "two epochs of a small network, to try things out"},
      {"small", small, "100 hidden units"},
      {"paper", paper, "as AEVB trains: Adagrad, N(0, 0.1) at the start"},
      {"paper-frey", paper_frey, "that of its faces: real numbers, 10 latents"},
      {"bits-back", bits_back, "a model to compress pictures with"},
      {"context", context, "pictures whose pixels see their neighbours"},
      {"ppca", ppca, "linear, with learned noise: probabilistic PCA"}};
  return all;
}

namespace {

bool has_encoder(const VaeModel& model) { return model.config().inference == Inference::encoder; }

std::unique_ptr<ScoringPlan> score_by_bound(const VaeModel& model) {
  return make_bound_scoring(model, model.bound_passes());
}

std::unique_ptr<ModelGradients> usual_gradients(const VaeModel& model) {
  return make_gradients(model, {});
}

}  // namespace

void settle_estimator(Settings& settings, const Fields& given) {
  if (pseudo_inputs_of(settings.model.prior) && !is_given(given, "--estimator"))
    settings.objective.estimator = Estimator::a;
}

Trainee make_trainee(const Settings& settings, const TaskData& data, Rng rng) {
  Config config = settings.model;
  const std::optional<std::int64_t> pseudo_inputs = pseudo_inputs_of(config.prior);
  if (pseudo_inputs) {
    require_drawn_kl(settings.objective);
    config.prior = "mixture:" + std::to_string(*pseudo_inputs) + ",diag";
  }
  if (config.context > 0 && settings.objective.algorithm != Algorithm::aevb)
    fail(ErrorKind::usage, "--context", "goes with --algorithm aevb");
  if (settings.objective.algorithm == Algorithm::mcem) config.inference = Inference::none;
  require_order(config.reading, config.chosen(), data.train.info);
  const ColumnReading columns = read_columns(config.reading, data.train, config.mean_activation);
  auto model = std::make_unique<VaeModel>(config, columns.info);
  auto pseudo = pseudo_inputs ? std::make_unique<PseudoInputs>(*model) : nullptr;
  model->initialise(rng);
  auto task = std::make_unique<VaeTask>(*model, settings.objective, data, rng, std::move(pseudo));
  Trainee trainee{std::move(model), std::move(task), settings.training};
  trainee.say_first(columns.note);
  return trainee;
}

Family family() {
  return {
      .name = "vae",
      .summary = "variational auto-encoder",
      .trainer = "train-vae",
      .draft = [] { return std::make_unique<DraftOf<Config, VaeModel>>(); },
      .score = {{bound_method, "the bound that training goes by", from_model(score_by_bound),
                 list_knobs<BoundSettings>, from_model(has_encoder)}},
      .code = from_model(make_codec),
      .latents = from_model(make_latents),
      .gradients = from_model(usual_gradients),
      .knobs = {.sample = list_knobs<LatentSamplingSettings>, .code = list_knobs<BitsBackKnobs>},
      .trainee = by_preset(make_trainee),
      .tiny_rows = rows_as_asked({.name = "bars"})};
}

}  // namespace logpx::vae
