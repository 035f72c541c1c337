// The encoder of a frozen KAEM, its bound, and its codes. The contract test holds what every family
// promises of them.   [kaem/README 4.4, 11.2]
#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/families/bound_pass.hpp"
#include "libcore/families/kaem/codec.hpp"
#include "libcore/families/kaem/encoder/encoder_trainee.hpp"
#include "libcore/families/kaem/family.hpp"
#include "libcore/families/kaem/model.hpp"
#include "libcore/families/kaem/prior/prior_draws.hpp"
#include "libcore/families/kaem/prior/prior_sums.hpp"
#include "libcore/families/registry.hpp"
#include "libcore/families/synthetic_rows.hpp"
#include "libcore/train/loop.hpp"
#include "tests/support/gradcheck.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace logpx::encoder_test {

using namespace logpx::kaem;

namespace {

Settings small_settings() {
  Settings settings = Settings::presets().make("tiny");
  settings.model.latent = {2, 3};
  settings.model.hidden = "4";
  settings.training.batch = 16;
  settings.training.shards = 4;
  settings.training.steps = 20;
  return settings;
}

// Energies of a size that matters.
void move_prior(KaemModel& model) {
  ParamSet& params = model.param_set();
  DrawCursor draws(Rng(8).stream(Stream::test));
  for (const int i : params.under({"prior"}))
    for (float& value : params.view(i).span()) value += static_cast<float>(0.5 * draws.normal());
  model.renew();
}

// A model without an encoder, on these rows.
std::unique_ptr<KaemModel> frozen_model(const Settings& settings, const HeldRows& rows) {
  auto model = std::make_unique<KaemModel>(settings.model, rows.info);
  model->initialise(Rng(3));
  move_prior(*model);
  model->set_normalisers();
  return model;
}

std::map<std::string, std::vector<std::byte>> bytes_of(Model& model) {
  std::map<std::string, std::vector<std::byte>> all;
  model.params([&](const TensorRef& tensor, TensorRole) {
    all[tensor.name].assign(tensor.bytes.begin(), tensor.bytes.end());
  });
  return all;
}

Config config_of(CouplingChoice coupling, PriorKind kind) {
  Config config = small_settings().model;
  config.prior = kind;
  config.coupling = coupling;
  if (kind == PriorKind::mixture) config.latent = {3, 2};
  return config;
}

}  // namespace

TEST_CASE(
    "kaem encoder: sums of scores are those of z, and have their slopes, for every coupling") {
  const HeldRows rows = synthetic_rows({.name = "bars", .n = 4});
  for (const auto& [coupling, kind] :
       {std::pair{CouplingChoice::shared, PriorKind::univariate},
        std::pair{CouplingChoice::independent, PriorKind::univariate},
        std::pair{CouplingChoice::independent, PriorKind::mixture}}) {
    Settings settings = small_settings();
    settings.model = config_of(coupling, kind);
    const auto model = frozen_model(settings, rows);
    const PriorForm& form = model->prior_form();
    CAPTURE(form.score_dims());
    const auto scores = [&]() -> const NormalScores& { return model->scores(); };
    gradcheck::run({"prior_sums",
                    {{.shape = {2, 3, form.score_dims()}, .low = -1.5, .high = 1.5}},
                    [&](const auto& in) { return prior_sums(form, scores, in[0]); }});
    std::vector<float> v = {-0.7F, 0.3F, 1.1F, -0.2F, 0.5F, -1.3F};
    v.resize(at(form.score_dims()));
    std::vector<double> z(at(form.z_dims()));
    model->scores().to_z(v, z, {});
    std::vector<float> s(at(form.n_q));
    sum_rows(form, z, s);
    Graph graph;
    graph.output("s", prior_sums(form, scores, graph.input("v", {1, form.score_dims()})));
    Executor<float> run(graph, {});
    run.bind("v", v);
    run.forward();
    const auto found = run.output("s").span();
    CHECK(std::equal(s.begin(), s.end(), found.begin()));
  }
}

TEST_CASE("kaem encoder: fitting it leaves prior and generator as they are, and the bound rises") {
  const HeldRows rows = synthetic_rows({.name = "bars", .n = 64});
  for (const char* likelihood : {"gaussian-fixed", "bernoulli", "categorical"}) {
    CAPTURE(likelihood);
    Settings settings = small_settings();
    settings.model.likelihood = likelihood;
    settings.training.steps = 150;
    const auto frozen = frozen_model(settings, rows);
    const auto before = bytes_of(*frozen);
    settings.model.encoder_hidden = 8;
    adopt_model(settings, *frozen, {});
    Trainee trainee = make_encoder_trainee(settings, *frozen, {.train = rows.examples()}, Rng(1));
    auto& model = dynamic_cast<KaemModel&>(*trainee.model);
    CHECK(model.has_encoder());
    const auto start = bytes_of(model);
    Workers workers(1);
    const auto alone = join_ranks();
    const auto elbo = [&] {
      return trainee.task->evaluate(model.param_set().block(), workers, *alone)[0].second;
    };
    const double at_start = elbo();
    TrainingLoop(*trainee.task, settings.training, {workers, *alone}, {.seed = 1}).run();
    CHECK(elbo() > at_start + 0.1);
    const auto after = bytes_of(model);
    std::size_t encoder_tensors = 0;
    for (const auto& [name, bytes] : after) {
      CAPTURE(name);
      const bool own = name.starts_with("encoder/");
      encoder_tensors += own ? 1 : 0;
      if (own) CHECK((bytes != start.at(name)));
      else CHECK((bytes == before.at(name)));
    }
    CHECK(encoder_tensors == after.size() - before.size());
    CHECK(abilities(*frozen).latents->has_posterior() == false);
  }
}

TEST_CASE("kaem encoder: settings become those of the model, and options against it are refused") {
  const HeldRows rows = synthetic_rows({.name = "bars", .n = 8});
  const auto frozen = frozen_model(small_settings(), rows);
  Settings settings = Settings::presets().make("small");
  Fields given;
  settings.describe(given);
  adopt_model(settings, *frozen, given);
  CHECK(settings.model.latent == frozen->config().latent);
  CHECK(settings.model.encoder_hidden == 500);
  CHECK(settings.training.batch == 50);  // as in the preset
  for (const char* option : {"latent=3", "samples=10", "freeze=prior", "likelihood=bernoulli"}) {
    Settings other = small_settings();
    Fields options;
    other.describe(options);
    options.set(option, Origin::option);
    CHECK_THROWS_WITH_AS(adopt_model(other, *frozen, options),
                         doctest::Contains("does nothing with --encoder-for"), Error);
  }
  settings.model.encoder_hidden = 4;
  const Trainee whole = make_encoder_trainee(settings, *frozen, {.train = rows.examples()}, Rng(1));
  CHECK_THROWS_WITH_AS(adopt_model(settings, *whole.model, given),
                       doctest::Contains("has an encoder already"), Error);
}

TEST_CASE("kaem encoder: items are encoded as their rows are, whatever x is scaled to") {
  const HeldRows rows = synthetic_rows({.name = "bars", .n = 70});
  for (const char* likelihood : {"gaussian-fixed", "categorical", "discretised-gaussian"}) {
    CAPTURE(likelihood);
    Settings settings = small_settings();
    settings.model.likelihood = likelihood;
    const auto frozen = frozen_model(settings, rows);
    settings.model.encoder_hidden = 8;
    adopt_model(settings, *frozen, {});
    const Trainee trainee =
        make_encoder_trainee(settings, *frozen, {.train = rows.examples()}, Rng(1));
    const auto& model = dynamic_cast<const KaemModel&>(*trainee.model);
    const Posterior q = abilities(model).latents->encode(rows.examples());
    Workers workers(1);
    const auto coded = model.config().make_coding_likelihood(model.likelihood().levels());
    const auto coding = make_encoder_coding(model, *coded, workers);
    std::vector<float> mean(q.mean.size()), log_var(q.mean.size());
    coding->posterior(abilities(model).code->items(rows.examples()), mean, log_var);
    for (std::size_t i = 0; i < mean.size(); ++i) {
      CHECK(mean[i] == doctest::Approx(q.mean[i]).epsilon(1e-4));
      CHECK(log_var[i] == doctest::Approx(q.log_var[i]).epsilon(1e-4));
    }
  }
}

}  // namespace logpx::encoder_test
