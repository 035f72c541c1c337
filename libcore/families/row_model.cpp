#include "libcore/families/row_model.hpp"

#include "libcore/base/index.hpp"
#include "libcore/data/row_store.hpp"

#include <algorithm>
#include <array>

namespace logpx {
namespace {

void take_step_rows(const TaskRows& rows, std::span<const std::int64_t> numbers,
                    std::span<float> x) {
  const auto dims = at(rows.info.dims());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const RowPlace place = rows.at(numbers[i]);
    const std::array<std::int64_t, 1> from = {place.from};
    take_rows({rows.info, place.rows}, from, x.subspan(i * dims, dims));
  }
}

}  // namespace

RowLossTask::RowLossTask(ParamSet& params, const TaskData& data, const RowLogP& log_p)
    : params_(params),
      data_(data),
      phase_({}, {.build = loss_graph(data.train.info.dims(), log_p),
                  .bind =
                      [this](const Shard& shard, GraphInputs& inputs) {
                        take_step_rows(data_.train, shard.rows, inputs.values("x"));
                      }}),
      losses_(data.train.info.dims(), log_p) {}

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

double RowLossTask::mean_log_p(std::span<const float> weights, const TaskRows& examples,
                               const EvaluationMachine& machine) const {
  const std::int64_t rows = std::min(curve_rows, examples.count);
  const auto add = [&](RowBlock block, std::span<double> sum) {
    const Rows held = examples.read(block.first, block.first + block.count);
    const Examples part{examples.info, held, examples.first + block.first};
    for (const double nats : losses_.log_p(weights, part)) sum[0] += nats;
  };
  return sum_over_rows(machine, {.rows = rows, .columns = 1}, add)[0] / static_cast<double>(rows);
}

}  // namespace logpx
