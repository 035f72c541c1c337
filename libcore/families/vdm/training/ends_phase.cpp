#include "libcore/families/vdm/training/ends_phase.hpp"

#include "libcore/base/index.hpp"
#include "libcore/families/vdm/training/loss_phase.hpp"
#include "libcore/math/blas.hpp"

#include <algorithm>

namespace logpx::vdm {
namespace {

constexpr std::int64_t most_points = 16;  // rows of a step

// Row 2i is row i at gamma_0, row 2i + 1 the same at gamma_1.
std::unique_ptr<Graph> graph_of_ends(const VdmModel& model, std::int64_t rows) {
  auto graph = std::make_unique<Graph>();
  const Var eps = graph->input("eps", {2 * std::min(rows, most_points), model.dims()});
  graph->output("m", squared_error(model, eps, BlockPass::evaluation));
  return graph;
}

class EndsPhase final : public Phase {
 public:
  EndsPhase(const VdmModel& model, const StepRows& rows)
      : Phase({.name = "ends", .terms = {}, .writes = {"schedule"}, .update = Update::none}),
        model_(model),
        rows_(rows),
        pool_([&model](std::int64_t count, std::int64_t) { return graph_of_ends(model, count); },
              {}) {
    works_with(pool_);
  }

  void run(const Shard& shard, std::span<const float> theta, const ShardSums& sums) override {
    single_threaded_kernels();
    for (const BlockRange& range : sums.written)
      std::fill(sums.gradient.begin() + range.begin, sums.gradient.begin() + range.end, 0.0F);
    std::vector<std::int64_t> chosen;
    for (std::int64_t i = 0; i < shard.count; ++i)
      if (shard.places[at(i)] < most_points) chosen.push_back(i);
    if (chosen.empty()) return;
    const ExecutorPool::Loan loan = pool_.lend({std::ssize(chosen)});
    const NoiseSchedule schedule = model_.schedule(theta);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      bind(shard, chosen[i], 2 * i, schedule.ends().first, loan.inputs());
      bind(shard, chosen[i], 2 * i + 1, schedule.ends().last, loan.inputs());
    }
    loan.executor().bind_parameters(theta);
    loan.executor().forward();
    const std::span<const float> error = loan.executor().output("m").span();
    const auto points = static_cast<double>(std::min(shard.step_count, most_points));
    const double share = 0.5 * trained_unit(model_) / points;
    ScheduleParameters::Gradient gradient;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      gradient.ends.first -= share * static_cast<double>(error[2 * i]);
      gradient.ends.last += share * static_cast<double>(error[2 * i + 1]);
    }
    model_.add_schedule_gradient(gradient, theta, sums.gradient);
  }

 private:
  void bind(const Shard& shard, std::int64_t i, std::size_t row, double gamma,
            GraphInputs& inputs) const {
    const std::size_t dims = at(model_.dims());
    const auto row_of = [&](const char* name) {
      return inputs.values(name).subspan(row * dims, dims);
    };
    std::vector<float> x(dims);
    const bool changed = rows_.take(shard, i, x);
    const bool first = row % 2 == 0;
    rows_.noise(shard.place, shard.places[at(i)],
                first ? StepRows::Draw::first_end : StepRows::Draw::last_end, row_of("eps"));
    mix_noise(Process{}.at(gamma), x, row_of("eps"), row_of("z"));
    inputs.values("gamma")[row] = static_cast<float>(gamma);
    if (model_.config().aug_flag) inputs.values("changed")[row] = changed ? 1.0F : 0.0F;
    if (model_.config().classes > 0) inputs.indices("label")[row] = rows_.label(shard, i);
  }

  const VdmModel& model_;
  const StepRows& rows_;
  ExecutorPool pool_;
};

}  // namespace

std::unique_ptr<Phase> ends_phase(const VdmModel& model, const StepRows& rows) {
  return std::make_unique<EndsPhase>(model, rows);
}

}  // namespace logpx::vdm
