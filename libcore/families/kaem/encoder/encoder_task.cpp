#include "libcore/families/kaem/encoder/encoder_task.hpp"

#include "libcore/grad/ops_pointwise.hpp"

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

std::int64_t EncoderTask::data_bytes() const {
  return rows_.bytes() + (data_.valid ? std::ssize(data_.valid->rows.x) : 0);
}

void EncoderTask::compute_by(const Numerics& numerics) {
  numerics_ = numerics;
  passes_.clear();
  passes_.request().numerics = numerics;
  TrainingTask::compute_by(numerics);
}

BoundMeans EncoderTask::measured(std::span<const float> weights, const Examples& examples,
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

}  // namespace logpx::kaem
