#include "libcore/families/row_model.hpp"

#include <algorithm>

namespace logpx {

RowLossTask::RowLossTask(ParamSet& params, const TaskData& data, const RowLogP& log_p)
    : params_(params),
      data_(data),
      phase_({}, {.build = loss_graph(data.train.info.dims(), log_p),
                  .bind =
                      [this](const Shard& shard, GraphInputs& inputs) {
                        take_rows(data_.train, shard.rows, inputs.values("x"));
                      }}),
      losses_(data.train.info.dims(), log_p) {}

std::int64_t RowLossTask::data_bytes() const {
  return std::ssize(data_.train.rows.x) + (data_.valid ? std::ssize(data_.valid->rows.x) : 0);
}

void RowLossTask::compute_by(const Numerics& numerics) {
  numerics_ = numerics;
  losses_.compute_by(numerics);
  TrainingTask::compute_by(numerics);
}

Metrics RowLossTask::evaluate(std::span<const float> weights, Workers& workers, Ranks& ranks) {
  const EvaluationMachine machine{workers, ranks, numerics_};
  Metrics metrics;
  if (data_.valid) metrics.emplace_back("log_p_valid", mean_log_p(weights, *data_.valid, machine));
  metrics.emplace_back("log_p_train", mean_log_p(weights, data_.train, machine));
  return metrics;
}

double RowLossTask::mean_log_p(std::span<const float> weights, const Examples& examples,
                               const EvaluationMachine& machine) const {
  const std::int64_t rows = std::min(curve_rows, examples.rows.count);
  const auto add = [&](RowBlock block, std::span<double> sum) {
    const Rows held = slice_rows(examples.rows, block.first, block.first + block.count);
    const Examples part{examples.info, held, examples.first + block.first};
    for (const double nats : losses_.log_p(weights, part)) sum[0] += nats;
  };
  return sum_over_rows(machine, {.rows = rows, .columns = 1}, add)[0] / static_cast<double>(rows);
}

}  // namespace logpx
