#include "libcore/families/arm/training/task.hpp"

#include "libcore/base/index.hpp"
#include "libcore/families/arm/training/objective.hpp"
#include "libcore/math/blas.hpp"
#include "libcore/math/low_discrepancy.hpp"
#include "libcore/mol/molecule.hpp"

#include <algorithm>
#include <cmath>

namespace logpx::arm {
namespace {

constexpr std::int64_t most_rows = 1000;
constexpr std::uint64_t evaluation_seed = 1;

}  // namespace

RowBounds::RowBounds(const ArmModel& model)
    : model_(model),
      passes_(
          [this](std::int64_t rows, std::int64_t extent) {
            auto graph = std::make_unique<Graph>();
            name_objective(*graph, model_, options_, {rows, extent});
            return graph;
          },
          {}) {}

std::int64_t RowBounds::judged_rows(const TaskRows& examples) {
  return std::min(most_rows, examples.count);
}

void RowBounds::compute_by(const Numerics& numerics) {
  passes_.clear();
  passes_.request().numerics = numerics;
}

std::vector<double> RowBounds::mean(std::span<const float> weights, const TaskRows& examples,
                                    const EvaluationMachine& machine) {
  const std::int64_t rows = judged_rows(examples), columns = std::ssize(objective_terms(model_));
  const double offset = uniform53_at(Rng(evaluation_seed).stream(Stream::time), 0);
  // Steps of the golden section: any block of neighbouring rows covers the order evenly.
  const auto time_of = [&](std::int64_t row) {
    const double place = offset + static_cast<double>(row) * 0.6180339887498949;
    return place - std::floor(place);
  };
  const auto add = [&](RowBlock block, std::span<double> sums) {
    const Rows held = examples.read(block.first, block.first + block.count);
    std::vector<double> times;
    for (std::int64_t i = 0; i < block.count; ++i) times.push_back(time_of(block.first + i));
    add_block(weights, {examples.info, held, examples.first + block.first}, times, sums);
  };
  std::vector<double> sums = sum_over_rows(machine, {.rows = rows, .columns = columns}, add);
  for (double& sum : sums) sum /= static_cast<double>(rows);
  return sums;
}

void RowBounds::add_block(std::span<const float> weights, const Examples& examples,
                          std::span<const double> times, std::span<double> sums) {
  single_threaded_kernels();
  const std::int64_t count = examples.rows.count, dims = model_.dims();
  const std::vector<std::int32_t> x = model_.reader().values(examples);
  const std::int64_t extent = model_.form().extent_of(x);
  const NetLayout layout(model_.form(), extent);
  const ExecutorPool::Loan loan = passes_.lend({count, extent});
  GraphInputs& inputs = loan.inputs();
  const Rng rng(evaluation_seed);
  for (std::int64_t i = 0; i < count; ++i)
    bind_row(model_, layout,
             {.row = at(i),
              .time = times[at(i)],
              .orders = rng.stream(Stream::order, static_cast<std::uint32_t>(examples.first + i))},
             std::span(x).subspan(at(i * dims), at(dims)), inputs);
  if (inputs.holds("learns")) std::ranges::fill(inputs.values("learns"), 1.0F);
  loan.executor().bind_parameters(weights);
  loan.executor().forward();
  const std::vector<std::string> names = objective_terms(model_);
  for (std::size_t t = 0; t < names.size(); ++t)
    for (const float value : loan.executor().output(names[t]).span())
      sums[t] += static_cast<double>(value);
}

namespace {

// Places spread evenly over the rows of a step, from one uniform for all.   [arm/README 4.2]
double stratified_place(double first, std::int64_t place, std::int64_t rows) {
  const double u = first + static_cast<double>(place) / static_cast<double>(rows);
  return u - std::floor(u);
}

// The mean of log L: the entropy of a first choice when all dims are alike.
double mean_log_dims(const RowForm& form, const TaskRows& rows) {
  if (!form.holds_molecules()) return std::log(static_cast<double>(form.dims()));
  double sum = 0;
  const std::int64_t count = RowBounds::judged_rows(rows);
  const Examples molecules = rows.held();
  for (std::int64_t row = 0; row < count; ++row)
    sum += std::log(static_cast<double>(dims_of_atoms(atoms_of_row(molecules, row))));
  return sum / static_cast<double>(count);
}

}  // namespace

ArmTask::ArmTask(ArmModel& model, const LearnOptions& options, TaskData data)
    : model_(model),
      options_(options),
      entropy_(options.entropy_course()),
      kl_(options.kl_course()),
      data_(std::move(data)),
      rows_(model.reader(), data_.train),
      phase_({.terms = objective_terms(model)},
             {.build =
                  [this](std::int64_t rows, std::int64_t extent) {
                    auto graph = std::make_unique<Graph>();
                    name_objective(*graph, model_, options_, {rows, extent});
                    return graph;
                  },
              .bind = [this](const Shard& shard, GraphInputs& inputs) { bind(shard, inputs); }}),
      bounds_(model) {
  if (data_.valid) static_cast<void>(LevelRows(model.reader(), *data_.valid));
}

std::vector<ParamGroup> ArmTask::groups() const {
  if (!model_.config().follows_entropy()) return {};
  return {{.prefix = "beta", .decay = 0}};
}

ShardGrain ArmTask::grain() const {
  const NetKind net = model_.config().net.kind;
  return net == NetKind::unet || net == NetKind::graph ? ShardGrain::heavy : ShardGrain::dense;
}

std::int64_t ArmTask::extent(std::int64_t row) const {
  if (!model_.form().holds_molecules()) return 0;
  return extent_of_atoms(atoms_of_row(data_.train.held(), row));
}

void ArmTask::compute_by(const Numerics& numerics) {
  numerics_ = numerics;
  bounds_.compute_by(numerics);
  TrainingTask::compute_by(numerics);
}

void ArmTask::bind(const Shard& shard, GraphInputs& inputs) const {
  const StepPlace& step = shard.place;
  const Rng rng(step.seed);
  const auto sub = static_cast<std::uint32_t>(step.step);
  const Substream times = rng.stream(Stream::time, sub), orders = rng.stream(Stream::order, sub);
  const RowNoise noise =
      training_noise(model_.reader().rules(), rng, static_cast<std::uint32_t>(step.epoch));
  const bool even = options_.places == PlaceDraws::low_discrepancy;
  const auto dims = at(model_.dims());
  const NetLayout layout(model_.form(), shard.extent);
  std::vector<std::int32_t> x(dims);
  for (std::size_t i = 0; i < at(shard.count); ++i) {
    const std::int64_t place = shard.places[i];
    rows_.take(shard.rows[i], noise, x);
    bind_row(model_, layout,
             {.row = i,
              .time = even ? stratified_place(uniform53_at(times, 0), place, step.rows)
                           : uniform53_at(times, static_cast<std::uint64_t>(place)),
              .orders = orders,
              .element = static_cast<std::uint64_t>(options_.paths * place) * dims},
             x, inputs);
  }
  const auto all = [&](const char* name, double value) {
    if (inputs.holds(name)) std::ranges::fill(inputs.values(name), static_cast<float>(value));
  };
  all("learns", step.step < options_.warmup_uniform ? 0 : 1);
  all("kl_weight", kl_.at(step.step));
  all("entropy_weight", entropy_.at(step.step));
}

Metrics ArmTask::evaluate(std::span<const float> weights, Workers& workers, Ranks& ranks) {
  const TaskRows& judged = data_.valid ? *data_.valid : data_.train;
  const std::vector<double> means = bounds_.mean(weights, judged, {workers, ranks, numerics_});
  const std::string rows = data_.valid ? "_valid" : "_train";
  Metrics metrics = {{"nll_bound" + rows, means[0]}};
  if (means.size() == 1) return metrics;
  metrics.emplace_back("recon" + rows, means[1]);
  metrics.emplace_back("kl_order" + rows, means[2]);
  metrics.emplace_back("q_entropy", means[4]);
  if (const double most = mean_log_dims(model_.form(), judged); most > 0)
    metrics.emplace_back("q_entropy_share", means[4] / most);
  if (model_.config().follows_entropy()) metrics.emplace_back("beta", model_.rule(weights).beta);
  return metrics;
}

}  // namespace logpx::arm
