#include "libcore/families/vdm/training/row_bounds.hpp"

#include "libcore/base/index.hpp"
#include "libcore/families/vdm/training/loss_phase.hpp"
#include "libcore/math/blas.hpp"
#include "libcore/math/low_discrepancy.hpp"
#include "libcore/train/row_noise.hpp"

#include <algorithm>

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

BoundTerms RowBounds::mean(std::span<const float> weights, const Examples& examples,
                           const EvaluationMachine& machine) {
  const std::int64_t rows = std::min(most_rows, examples.rows.count);
  const auto add = [&](RowBlock block, std::span<double> sums) {
    const Rows held = slice_rows(examples.rows, block.first, block.first + block.count);
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

}  // namespace logpx::vdm
