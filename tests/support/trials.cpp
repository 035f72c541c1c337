#include "tests/support/trials.hpp"

#include "libcore/base/fields.hpp"
#include "libcore/base/parallel.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/families/arm/family.hpp"
#include "libcore/families/kaem/encoder/encoder_trainee.hpp"
#include "libcore/families/kaem/family.hpp"
#include "libcore/families/pc/family.hpp"
#include "libcore/families/synthetic_rows.hpp"
#include "libcore/families/vae/prior_fit.hpp"
#include "libcore/families/vdm/family.hpp"
#include "tests/support/mixed_table.hpp"

#include <functional>
#include <map>

namespace logpx::testing {
namespace {

using MakeTrial = std::function<Trainee(const TaskData& data, Rng rng)>;
struct TrialModel {
  MakeTrial make = {};                                   // empty: by the preset `tiny`
  std::function<HeldRows(std::int64_t rows)> rows = {};  // empty: Family::tiny_rows
};

struct Trials {
  std::vector<TrialModel> models;
  std::vector<std::string> light_knobs = {};
};

Trainee kaem_with_encoder(const TaskData& data, Rng rng) {
  kaem::Settings settings = kaem::Settings::presets().make("tiny");
  settings.model.tau_fixed = true;  // no parameter that stays at 0
  const Trainee trainee = kaem::make_trainee(settings, data, rng);
  settings.model.encoder_hidden = 10;
  kaem::adopt_model(settings, *trainee.model, {});
  return kaem::make_encoder_trainee(settings, *trainee.model, data, rng);
}

kaem::Settings kaem_of_letters() {
  kaem::Settings settings = kaem::Settings::presets().make("tiny");
  settings.model.tau_fixed = true;  // no parameter that stays at 0
  settings.model.generator.kind = kaem::GeneratorKind::seq;
  settings.model.likelihood = "categorical";
  settings.model.hidden = "6";
  settings.fit.samples = 4;
  settings.fit.eval_samples = 4;
  return settings;
}

// Encoder, generator and prior together.
Trainee kaem_joint(const TaskData& data, Rng rng) {
  kaem::Settings settings = kaem::Settings::presets().make("tiny");
  settings.model.tau_fixed = true;  // no parameter that stays at 0
  settings.model.encoder_hidden = 10;
  settings.fit.langevin.posterior = kaem::PosteriorKind::encoder;
  settings.fit.k = 3;
  return kaem::make_trainee(settings, data, rng);
}

Trainee kaem_seq(const TaskData& data, Rng rng) {
  return kaem::make_trainee(kaem_of_letters(), data, rng);
}

Trainee kaem_seq_with_encoder(const TaskData& data, Rng rng) {
  kaem::Settings settings = kaem_of_letters();
  const Trainee trainee = kaem::make_trainee(settings, data, rng);
  DrawCursor draws(Rng(4).stream(Stream::test));  // no bias that is 0
  for (float& value : trainee.task->params().block())
    value += static_cast<float>(0.05 * draws.normal());
  settings.model.encoder_hidden = 10;
  kaem::adopt_model(settings, *trainee.model, {});
  return kaem::make_encoder_trainee(settings, *trainee.model, data, rng);
}

SyntheticRequest short_texts() {
  SyntheticRequest request{.name = "markov-text"};
  request.options.length = 6;
  return request;
}

Trainee vae_with_mixture(const TaskData& data, Rng rng) {
  vae::Settings settings = vae::Settings::presets().make("tiny");
  settings.model.init = "normal:0.1";  // no parameter that stays at 0
  const Trainee trainee = vae::make_trainee(settings, data, rng);
  vae::adopt_model(settings, "mixture:3", *trainee.model, {});
  return vae::make_prior_trainee(settings, *trainee.model, data, rng);
}

Trainee vae_with_context(const TaskData& data, Rng rng) {
  vae::Settings settings = vae::Settings::presets().make("tiny");
  settings.model.context = 12;
  settings.model.context_hidden = {6};
  settings.model.hidden = {4};
  settings.model.init = "normal:0.1";  // no parameter that stays at 0
  return vae::make_trainee(settings, data, rng);
}

Trainee vae_with_pseudo_inputs(const TaskData& data, Rng rng) {
  vae::Settings settings = vae::Settings::presets().make("tiny");
  settings.model.init = "normal:0.1";
  settings.model.prior = "vamp:3";
  settings.objective.estimator = vae::Estimator::a;
  return vae::make_trainee(settings, data, rng);
}

Trainee vae_in_planes(const TaskData& data, Rng rng) {
  vae::Settings settings = vae::Settings::presets().make("tiny");
  settings.model.init = "normal:0.1";
  settings.model.encoder = vae::NetworkKind::conv;
  settings.model.conv_width = 0.1;
  settings.model.latent_planes = {1, 2};
  return vae::make_trainee(settings, data, rng);
}

// Its whole schedule is learned.
Trainee vdm_in_ten_steps(const TaskData& data, Rng rng) {
  vdm::Settings settings = vdm::Settings::presets().make("tiny");
  settings.model.net.kind = vdm::NetKind::mlp;
  settings.model.timesteps = 10;
  settings.model.schedule.name = "monotone";
  settings.model.schedule.hidden = 5;
  return vdm::make_trainee(settings, data, rng);
}

MakeTrial circuit_with(const std::function<void(pc::Config&)>& change) {
  return [change](const TaskData& data, Rng rng) {
    pc::Settings settings = pc::Settings::presets().make("tiny");
    change(settings.model);
    Workers alone(1);
    return pc::make_trainee(settings, data, rng,
                            {.workers = alone, .leaves = {.word = settings.model.leaf}});
  };
}

// Training goes on from the product of two circuits.
Trainee circuit_product(const TaskData& data, Rng rng) {
  std::vector<Trainee> factors;
  std::vector<pc::FactorModel> named;
  for (const std::int64_t states : {2, 3}) {
    const MakeTrial make = circuit_with([states](pc::Config& c) { c.hidden = states; });
    factors.push_back(make(data, Rng(static_cast<std::uint64_t>(states))));
    named.push_back({.name = std::to_string(states) + " states",
                     .model = factors.back().model.get(),
                     .hash = std::to_string(states)});
  }
  pc::Settings settings = pc::Settings::presets().make("tiny");
  settings.learning.init = "product:2,3";
  Workers alone(1);
  return pc::make_trainee(settings, data, rng, {.workers = alone, .factors = named});
}

MakeTrial arm_with(arm::NetKind net, const std::function<void(arm::Config&)>& change = {}) {
  return [net, change](const TaskData& data, Rng rng) {
    arm::Settings settings = arm::Settings::presets().make("tiny");
    settings.model.net.kind = net;
    if (change) change(settings.model);
    return arm::make_trainee(settings, data, rng);
  };
}

void any_order(arm::Config& config) { config.orders = arm::OrderKind::any; }

void order_by_entropy(arm::Config& config) {
  config.policy = arm::PolicyKind::entropy;
  config.choice = arm::ChoiceKind::shared;
}

Trainee arm_backwards(const TaskData& data, Rng rng) {
  arm::Settings settings = arm::Settings::presets().make("tiny");
  settings.model.net.kind = arm::NetKind::mlp;
  settings.model.orders = arm::OrderKind::fixed;
  settings.model.order = "backwards";
  arm::TraineeParts parts;
  for (std::int64_t dim = data.train.info.dims(); dim-- > 0;) parts.order.push_back(dim);
  return arm::make_trainee(settings, data, rng, parts);
}

// Rows of different lengths, for models that read them.
SyntheticRequest few_molecules() {
  SyntheticRequest request{.name = "molecules"};
  request.options.elements = {"C", "N", "O", "F", "S"};
  request.options.min_atoms = 1;
  request.options.max_atoms = 3;
  return request;
}

void of_quads(pc::Config& config) {
  config.structure = "quad-graph";
  config.regions.product = pc::ProductKind::kronecker;
}

void of_random_regions(pc::Config& config) {
  config.structure = "rat";
  config.regions.random = {.depth = 2, .repetitions = 2};
}

Trials trials_of_arm() {
  // Networks for pictures are slow, and are evaluated for all sets of pixels.
  const auto pictures = rows_as_asked({.name = "bars", .options = {.size = 2}});
  const auto molecules = rows_as_asked(few_molecules());
  return {.models = {{arm_with(arm::NetKind::mlp)},
                     {arm_with(arm::NetKind::mlp, any_order)},
                     {arm_with(arm::NetKind::mlp, order_by_entropy)},
                     {arm_with(arm::NetKind::unet), pictures},
                     {arm_backwards},
                     {arm_with(arm::NetKind::graph), molecules},
                     {arm_with(arm::NetKind::graph, any_order), molecules}},
          .light_knobs = {"samples=2"}};
}

const std::map<std::string, Trials>& table() {
  static const std::map<std::string, Trials> all = {
      {"kaem",
       {.models = {{},
                   {kaem_with_encoder},
                   {kaem_joint},
                   {kaem_seq, rows_as_asked(short_texts())},
                   {kaem_seq_with_encoder, rows_as_asked(short_texts())}},
        .light_knobs = {"nodes=32", "burn=20"}}},
      {"vae",
       {.models = {{},
                   {vae_with_mixture},
                   {vae_with_pseudo_inputs},
                   {vae_with_context},
                   {vae_in_planes, rows_as_asked({.name = "bars", .options = {.size = 4}})}},
        .light_knobs = {"nodes=32", "burn=20"}}},
      {"vdm",
       {.models = {{}, {vdm_in_ten_steps}},
        .light_knobs = {"timesteps=10", "samples=2", "ode_steps=4"}}},
      {"pc",
       {.models = {{},
                   {circuit_with([](pc::Config& c) { c.structure = "hclt"; })},
                   {circuit_with([](pc::Config& c) { c.structure = "mixture"; })},
                   {circuit_with([](pc::Config& c) { c.structure = "table"; }), mixed_table},
                   {circuit_with(of_quads),
                    rows_as_asked({.name = "bars", .options = {.size = 3}})},
                   {circuit_with(of_random_regions)},
                   {circuit_with([](pc::Config& c) { c.leaf = "dlogistic"; })},
                   {circuit_product}}}},
      {"arm", trials_of_arm()},
  };
  return all;
}

Family with_trial(Family family, const TrialModel& trial) {
  if (trial.make)
    family.trainee = [make = trial.make](const std::string&, const TaskData& data, Rng rng) {
      return make(data, rng);
    };
  if (trial.rows) family.tiny_rows = trial.rows;
  return family;
}

}  // namespace

std::vector<Family> trials_of(const Family& family) {
  const auto found = table().find(family.name);
  if (found == table().end()) return {family};
  std::vector<Family> trials;
  for (const TrialModel& trial : found->second.models) trials.push_back(with_trial(family, trial));
  return trials;
}

std::vector<std::string> light_knobs(const std::string& family) {
  const auto found = table().find(family);
  return found == table().end() ? std::vector<std::string>() : found->second.light_knobs;
}

}  // namespace logpx::testing
