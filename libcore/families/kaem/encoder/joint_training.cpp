#include "libcore/families/kaem/encoder/joint_training.hpp"

#include "libcore/base/index.hpp"
#include "libcore/families/bound_pass.hpp"
#include "libcore/math/blas.hpp"
#include "libcore/math/repeatable.hpp"
#include "libcore/train/row_noise.hpp"
#include "libcore/train/options.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace logpx::kaem {
namespace {

// In its update, where it has all threads.
class ScoresPhase final : public Phase {
 public:
  explicit ScoresPhase(std::function<void(Workers&)> set)
      : Phase({.name = "prior", .terms = {}, .items = 1, .gradient = false, .update = Update::own}),
        set_(std::move(set)) {}
  void run(const Shard&, std::span<const float>, const ShardSums&) override {}
  void update(const StepPlace&, const PhaseSums&, Workers& workers) override { set_(workers); }

 private:
  std::function<void(Workers&)> set_;
};

}  // namespace

JointTraining::JointTraining(KaemModel& model, const FitOptions& options, const TrainingRows& rows,
                             const TaskData& data)
    : model_(model),
      options_(options),
      evaluated_(options),
      data_(data),
      step_(model),
      penalties_(
          {.model = model,
           .options = options.penalties,
           .trained = options.trained(),
           .samples =
               [this] {
                 static_cast<void>(grid_samples());
                 const PosteriorPoints& points = step_.points;
                 return PenaltySamples{points.values, points.draws.z, points.s, points.weights};
               }}),
      passes_(
          [this, &rows](std::int64_t count, std::int64_t) {
            return joint_graph({model_, evaluated_, step_, rows}, count);
          },
          {}) {
  evaluated_.train_noise = 0;
  const PriorForm& form = model.prior_form();
  for (std::int64_t f = 0; f < form.features(); ++f)
    tables_.emplace_back(step_.points.values.energies, f, options.its);
  phases_.push_back(std::make_unique<ScoresPhase>(
      [this](Workers& workers) { set_scores(model_.param_set().block(), workers); }));
  phases_.push_back(joint_phase({model, options_, step_, rows}));
  if (!options_.trains("prior")) return;
  const PriorParts parts{model, options_, step_.points, tables_};
  for (std::unique_ptr<Phase>& phase : penalties_.phases()) phases_.push_back(std::move(phase));
  if (!form.is_mixture()) phases_.push_back(retrace_phase(parts));
  phases_.push_back(tilt_phase(parts));
}

void JointTraining::set_scores(std::span<const float> weights, Workers& workers) {
  const ComputedBy how(step_.points.numerics);
  const PriorForm& form = model_.prior_form();
  model_.take_prior(weights, step_.points.values);
  step_.scores.emplace(
      latent_inverses(step_.points.values, {.method = options_.its, .nodes = form.energies.nodes},
                      workers),
      form.score_dims());
}

std::vector<Phase*> JointTraining::phases() {
  std::vector<Phase*> list;
  for (const auto& phase : phases_) list.push_back(phase.get());
  return list;
}

void JointTraining::compute_by(const Numerics& numerics) {
  step_.points.numerics = numerics;
  penalties_.compute_by(numerics);
  passes_.clear();
  passes_.request().numerics = numerics;
}

GridSamples JointTraining::grid_samples() {
  PosteriorPoints& points = step_.points;
  const PriorForm& form = model_.prior_form();
  const ComputedBy how(points.numerics);
  model_.take_prior(model_.param_set().block(), points.values);
  DrawSpace space;
  if (form.is_mixture()) {
    take_mixture_draws(form, step_);
  } else {
    for (EnergyTables& tables : tables_) draw_feature(points.values, tables, points.draws, space);
  }
  latent_sums(form, points.draws, points.s);
  return {points.draws.z, points.weights, points.s, points.values.energies.rho};
}

std::vector<double> JointTraining::measured(std::span<const float> weights,
                                            const TaskRows& examples,
                                            const EvaluationMachine& machine) {
  const std::int64_t rows = std::min(curve_rows, examples.count);
  const auto add = [&](RowBlock block, std::span<double> sums) {
    single_threaded_kernels();
    const ExecutorPool::Loan loan = passes_.lend({block.count});
    GraphInputs& inputs = loan.inputs();
    const Rows held = examples.read(block.first, block.first + block.count);
    const std::int64_t first = examples.first + block.first;
    model_.reader().take({examples.info, held, first}, evaluation_noise(model_.reader().rules()),
                         inputs.values("x"));
    if (model_.likelihood().takes_index()) fill_index(inputs.values("x"), inputs.indices("index"));
    model_.bind(inputs);
    std::ranges::fill(inputs.values("push"), 0.0F);
    fill_row_noise(inputs.values("noise"), {options_.k, block.count, 0}, [&](std::int64_t row) {
      return Rng(1).stream(Stream::evaluation, static_cast<std::uint32_t>(first + row));
    });
    loan.executor().bind_parameters(weights);
    loan.executor().forward();
    std::size_t column = 0;
    for (const char* const name : {"objective", "recon", "kl"}) {
      for (const float value : loan.executor().output(name).span())
        sums[column] += static_cast<double>(value);
      ++column;
    }
  };
  std::vector<double> sums = sum_over_rows(machine, {.rows = rows, .columns = 3}, add);
  for (double& sum : sums) sum /= static_cast<double>(rows);
  sums[0] = -sums[0];
  return sums;
}

std::optional<Metrics> JointTraining::bound(std::span<const float> weights,
                                            const EvaluationMachine& machine) {
  set_scores(weights, machine.workers);
  const std::vector<double> train = measured(weights, data_.train, machine);
  if (!data_.valid) return Metrics{{"iwae_train", train[0]}, {"recon", train[1]}, {"kl", train[2]}};
  const std::vector<double> valid = measured(weights, *data_.valid, machine);
  return Metrics{
      {"iwae_valid", valid[0]}, {"iwae_train", train[0]}, {"recon", valid[1]}, {"kl", valid[2]}};
}

}  // namespace logpx::kaem
