#include "libcore/families/kaem/encoder/encoder_trainee.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/families/kaem/transfer.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/model/parameters.hpp"

#include <algorithm>

namespace logpx::kaem {

EncoderTask::EncoderTask(KaemModel& model, const TaskData& data)
    : model_(model),
      data_(data),
      rows_(model.reader(), data_.train),
      phase_({.writes = {"encoder"}}, parts()),
      passes_(bound_passes(model, {})) {
  if (data_.valid) static_cast<void>(TrainingRows(model.reader(), *data_.valid));
}

GraphPhaseParts EncoderTask::parts() {
  GraphPhaseParts parts;
  parts.build = [this](std::int64_t rows, std::int64_t) {
    auto graph = std::make_unique<Graph>();
    const Pass pass = make_pass(model_, *graph, rows, 1);
    graph->output("loss", analytic_kl(pass.q) - over_draws(pass.recon));
    return graph;
  };
  parts.bind = [this](const Shard& shard, GraphInputs& inputs) {
    bind_target(model_, rows_, shard, inputs);
    bind_noise(shard, model_.latent(), inputs);
  };
  return parts;
}

void EncoderTask::compute_by(const Numerics& numerics) {
  numerics_ = numerics;
  passes_.clear();
  passes_.request().numerics = numerics;
  TrainingTask::compute_by(numerics);
}

BoundMeans EncoderTask::measured(std::span<const float> weights, const TaskRows& examples,
                                 const EvaluationMachine& machine) {
  return mean_bound(model_, passes_, weights, examples, machine);
}

Metrics EncoderTask::evaluate(std::span<const float> weights, Workers& workers, Ranks& ranks) {
  const EvaluationMachine machine{workers, ranks, numerics_};
  const BoundMeans train = measured(weights, data_.train, machine);
  std::optional<BoundMeans> valid;
  if (data_.valid) valid = measured(weights, *data_.valid, machine);
  return bound_metrics(train, valid);
}

std::vector<std::string> EncoderTask::concerns(std::span<const float> weights, Workers& workers,
                                               Ranks& ranks) {
  return latents_at_limits(measured(weights, data_.train, {workers, ranks, numerics_}));
}

namespace {

KaemModel& kaem_of(Model& model) {
  if (auto* const kaem = dynamic_cast<KaemModel*>(&model)) return *kaem;
  fail(ErrorKind::data, "",
       "is a model of family " + model.info().family + ", expected one of family kaem");
}

// Describes model and fit of some settings, as a user would spell them out.
void describe_decided(Settings& settings, Fields& fields) {
  settings.model = spelt_out(settings.model);
  settings.model.describe(fields);
  settings.fit.describe(fields);
}

// Refuses options that the adopted settings decide, and settings files that contradict them.
void refuse_others(Settings wanted, Settings adopted, const Fields& given) {
  Fields ours, theirs;
  describe_decided(wanted, ours);
  describe_decided(adopted, theirs);
  for (const Field& field : theirs.all()) {
    const std::string option = field.option();
    const Field* const said = given.find_option(option);
    if (said == nullptr || field.name() == "encoder-hidden") continue;
    if (said->given()) fail(ErrorKind::usage, option, encoder_leaves_the_rest);
    const std::string text = ours.find_option(option)->text();
    if (said->origin() != Origin::config || said->text() == "auto") continue;
    if (!same_value(text, field.text()))
      fail(ErrorKind::usage, field.key(),
           "is " + text + " in the settings, which " + encoder_leaves_the_rest);
  }
}

}  // namespace

void adopt_model(Settings& settings, Model& model, const Fields& given) {
  const KaemModel& kaem = kaem_of(model);
  if (kaem.has_encoder())
    fail(ErrorKind::data, "", "has an encoder already, and one is fitted to a model without");
  Settings adopted = settings;
  adopted.model = kaem.config();
  adopted.model.encoder_hidden = settings.model.encoder_hidden.value_or(usual_encoder_hidden);
  adopted.fit = {};
  refuse_others(settings, adopted, given);
  settings = adopted;
}

Trainee make_encoder_trainee(const Settings& settings, Model& given, const TaskData& data,
                             Rng rng) {
  KaemModel& frozen = kaem_of(given);
  auto model = std::make_unique<KaemModel>(settings.model, frozen.info().data);
  if (frozen.prior_constants().formula.size() > 0) model->prior_constants().add_formulas();
  model->initialise(rng);
  copy_tensors(frozen, *model);
  model->filled();
  auto task = std::make_unique<EncoderTask>(*model, data);
  return {std::move(model), std::move(task), settings.training};
}

}  // namespace logpx::kaem
