#include "libcore/families/vdm/training/task.hpp"

#include "libcore/base/index.hpp"
#include "libcore/families/vdm/scoring/drawn_curves.hpp"
#include "libcore/families/vdm/training/ends_phase.hpp"
#include "libcore/families/vdm/training/loss_phase.hpp"
#include "libcore/math/blas.hpp"
#include "libcore/math/low_discrepancy.hpp"
#include "libcore/train/row_noise.hpp"

#include <algorithm>
#include <vector>

namespace logpx::vdm {
namespace {

constexpr std::int64_t most_rows = 1000;
constexpr std::uint64_t evaluation_seed = 1;

std::unique_ptr<Graph> graph_of_errors(const VdmModel& model, std::int64_t rows) {
  auto graph = std::make_unique<Graph>();
  const Var eps = graph->input("eps", {rows, model.dims()});
  graph->output("m", squared_error(model, eps, BlockPass::evaluation));
  return graph;
}

}  // namespace

RowBounds::RowBounds(const VdmModel& model)
    : model_(model),
      passes_([&model](std::int64_t rows, std::int64_t) { return graph_of_errors(model, rows); },
              {}) {}

void RowBounds::compute_by(const Numerics& numerics) {
  passes_.clear();
  passes_.request().numerics = numerics;
}

BoundTerms RowBounds::mean(std::span<const float> weights, const TaskRows& examples,
                           const EvaluationMachine& machine) {
  const std::int64_t rows = std::min(most_rows, examples.count);
  const auto add = [&](RowBlock block, std::span<double> sums) {
    const Rows held = examples.read(block.first, block.first + block.count);
    const BoundTerms terms = sum_of(weights, {examples.info, held, examples.first + block.first},
                                    {.first = block.first, .of = rows});
    sums[0] += terms.diffusion;
    sums[1] += terms.prior;
    sums[2] += terms.recon;
  };
  std::vector<double> sums = sum_over_rows(machine, {.rows = rows, .columns = 3}, add);
  for (double& sum : sums) sum /= static_cast<double>(rows);
  return {sums[0], sums[1], sums[2]};
}

BoundTerms RowBounds::sum_of(std::span<const float> weights, const Examples& examples,
                             Place place) {
  single_threaded_kernels();
  const NoiseSchedule schedule = model_.schedule(weights);
  const TimedLosses losses(model_.timesteps(), LossWeight("vlb"));
  const ReconTerm recon_term(model_.levels(), schedule.ends().first);
  const std::size_t dims = at(model_.dims()), count = at(examples.rows.count);
  const double first_time = uniform53_at(Rng(evaluation_seed).stream(Stream::evaluation), 0);
  const ExecutorPool::Loan loan = passes_.lend({examples.rows.count});
  GraphInputs& inputs = loan.inputs();
  std::vector<float> x(count * dims), noise(dims);
  model_.reader().take_supported(examples, x);
  to_network_values(model_.levels(), x);
  BoundTerms sum;
  std::vector<double> factors(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto number = place.first + static_cast<std::int64_t>(i);
    const auto sub = static_cast<std::uint32_t>(number);
    const auto row = [&](std::span<float> all) { return all.subspan(i * dims, dims); };
    const TimedLoss loss = losses.at(schedule, stratified_time(first_time, number, place.of));
    const Rng rng(evaluation_seed);
    fill_normals(rng.stream(Stream::noise, sub), 0, row(inputs.values("eps")));
    fill_normals(rng.stream(Stream::recon, sub), 0, noise);
    mix_noise(Process{}.at(loss.gamma), row(x), row(inputs.values("eps")), row(inputs.values("z")));
    inputs.values("gamma")[i] = static_cast<float>(loss.gamma);
    if (model_.config().classes > 0) inputs.indices("label")[i] = examples.rows.y[i];
    factors[i] = loss.factor;
    sum.prior += prior_end_term(schedule.ends().last, row(x)).nats;
    sum.recon += recon_term.nats(row(x), noise) - model_.reader().log_jacobian();
  }
  loan.executor().bind_parameters(weights);
  loan.executor().forward();
  const std::span<const float> errors = loan.executor().output("m").span();
  for (std::size_t i = 0; i < count; ++i)
    sum.diffusion += factors[i] * static_cast<double>(errors[i]);
  return sum;
}

namespace {

constexpr double longest_step = 0.05;  // of an endpoint

}  // namespace

VdmTask::VdmTask(VdmModel& model, const LearnOptions& options, LossWeight weight, TaskData data)
    : model_(model),
      options_(options),
      data_(std::move(data)),
      rows_(model, options_, data_.train),
      loss_(model, options_, rows_, {model.timesteps(), std::move(weight)}),
      bounds_(model) {
  if (data_.valid) {
    static_cast<void>(TrainingRows(model.reader(), *data_.valid));
    if (model.config().classes > 0) require_labels(model.config(), *data_.valid);
  }
  GraphPhaseParts parts = loss_.parts();
  parts.finish = [this](const StepPlace&, const PhaseSums&) { before_ = model_.schedule().ends(); };
  phase_ = std::make_unique<GraphPhase>(loss_.settings(), std::move(parts));
  if (options_.endpoint_gradient == EndpointGradient::boundary) ends_ = ends_phase(model_, rows_);
}

VdmTask::~VdmTask() = default;

std::vector<Phase*> VdmTask::phases() {
  if (ends_ == nullptr) return {phase_.get()};
  return {ends_.get(), phase_.get()};
}

std::vector<ParamGroup> VdmTask::groups() const {
  if (!model_.schedule_parameters().learns()) return {};
  return {{.prefix = "schedule",
           .rate = options_.gamma_lr_mult,
           .decay = options_.decay_schedule ? 1.0 : 0.0,
           .clipped = false}};
}

ShardGrain VdmTask::grain() const {
  return model_.config().net.kind == NetKind::unet ? ShardGrain::heavy : ShardGrain::dense;
}

TrainReads VdmTask::reads() const {
  if (model_.param_set().count() > 0) return {};
  return {
      .rate = false, .optimiser = false, .averages = false, .way = "a model that learns nothing"};
}

void VdmTask::compute_by(const Numerics& numerics) {
  numerics_ = numerics;
  bounds_.compute_by(numerics);
  TrainingTask::compute_by(numerics);
}

void VdmTask::updated(const StepPlace&, Optimizer*) {
  model_.limit_endpoints(before_, longest_step);
}

Metrics VdmTask::evaluate(std::span<const float> weights, Workers& workers, Ranks& ranks) {
  const TaskRows& judged = data_.valid ? *data_.valid : data_.train;
  const BoundTerms terms = bounds_.mean(weights, judged, {workers, ranks, numerics_});
  const double unit = shown_unit(model_);
  const Endpoints ends = model_.schedule(weights).ends();
  const std::string unit_name = model_.levels() > 0 ? "bits_per_dim" : "nats",
                    rows = data_.valid ? "_valid" : "_train";
  return {{unit_name + rows, unit * terms.total()},
          {"diffusion" + rows, unit * terms.diffusion},
          {"prior" + rows, unit * terms.prior},
          {"recon" + rows, unit * terms.recon},
          {"gamma_0", ends.first},
          {"gamma_1", ends.last}};
}

void VdmTask::finished(std::span<const float> weights, Workers& workers) {
  const std::int64_t rows = std::min(options_.mse_rows, data_.train.count);
  if (rows == 0) return;
  const Rows held = data_.train.read(0, rows);
  const std::span<float> block = model_.param_set().block();
  const std::vector<float> kept(block.begin(), block.end());
  std::ranges::copy(weights, block.begin());
  model_.take_mse_curve(
      measure_mse_curve(model_, {data_.train.info, held, data_.train.first}, workers));
  std::ranges::copy(kept, block.begin());
}

}  // namespace logpx::vdm
