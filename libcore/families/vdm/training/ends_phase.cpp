#include "libcore/families/vdm/training/ends_phase.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/data/row_values.hpp"
#include "libcore/families/vdm/process.hpp"
#include "libcore/families/vdm/training/loss_phase.hpp"
#include "libcore/families/vdm/training/noised_row.hpp"
#include "libcore/math/blas.hpp"

#include <algorithm>
#include <cmath>

namespace logpx::vdm {

void Moments::check(const std::string& subject) const {
  const std::size_t dims = mean.size();
  const auto refuse = [&](const std::string& what) { fail(ErrorKind::data, subject, what); };
  if (dims == 0 || covariance.size() != dims * dims)
    refuse("holds " + std::to_string(dims) + " means and " + std::to_string(covariance.size()) +
           " covariances, expected D and D lists of D");
  for (const std::vector<double>* all : {&mean, &covariance})
    for (const double value : *all)
      if (!std::isfinite(value)) refuse("holds a number that is not finite");
  for (std::size_t d = 0; d < dims; ++d)
    for (std::size_t e = 0; e <= d; ++e) {
      const double one = covariance[d * dims + e], other = covariance[e * dims + d];
      const double most = covariance[d * dims + d] * covariance[e * dims + e];
      if (one != other || (d == e && one < 0) || one * one > most * (1 + 1e-9))
        refuse("holds no covariance in row " + std::to_string(d) + ", column " + std::to_string(e));
    }
}

Moments moments_of(const RowReader& reader, std::int64_t levels, const Examples& examples) {
  const std::size_t count = at(examples.rows.count);
  const std::size_t dims = at(reader.dims(examples.info));
  std::vector<float> x(dims * count);
  reader.take_supported(examples, x);
  to_network_values(levels, x);
  Moments moments{std::vector<double>(dims), std::vector<double>(dims * dims)};
  for (std::size_t i = 0; i < x.size(); ++i)
    moments.mean[i % dims] += static_cast<double>(x[i]) / static_cast<double>(count);
  std::vector<double> off(dims);
  for (std::size_t row = 0; row < count; ++row) {
    for (std::size_t d = 0; d < dims; ++d)
      off[d] = static_cast<double>(x[row * dims + d]) - moments.mean[d];
    for (std::size_t d = 0; d < dims; ++d)
      for (std::size_t e = 0; e <= d; ++e)
        moments.covariance[d * dims + e] += off[d] * off[e] / static_cast<double>(count);
  }
  for (std::size_t d = 0; d < dims; ++d)
    for (std::size_t e = 0; e < d; ++e)
      moments.covariance[e * dims + d] = moments.covariance[d * dims + e];
  return moments;
}

Moments network_moments(const Moments& stored, std::int64_t levels, const DatasetInfo& data) {
  const std::size_t dims = at(data.dims());
  if (stored.mean.size() != dims)
    fail(ErrorKind::data, "--moments",
         "are those of D = " + std::to_string(stored.mean.size()) + ", and " + data.name + " has " +
             std::to_string(dims) + " columns");
  const Standardisation& columns = data.standardisation;
  const ChannelsFirst places(data);
  std::vector<double> factor(dims, 1.0);
  Moments seen{std::vector<double>(dims), std::vector<double>(dims * dims)};
  for (std::size_t d = 0; d < dims; ++d) {
    double shift = 0;
    if (levels > 0) {
      factor[d] = 2 / static_cast<double>(levels);
      shift = value_of_level(0, levels);
    } else if (!columns.empty()) {
      factor[d] = 1 / columns.deviation[d];
      shift = -columns.mean[d] / columns.deviation[d];
    }
    seen.mean[places(d)] = stored.mean[d] * factor[d] + shift;
  }
  for (std::size_t d = 0; d < dims; ++d)
    for (std::size_t e = 0; e < dims; ++e)
      seen.covariance[places(d) * dims + places(e)] =
          stored.covariance[d * dims + e] * factor[d] * factor[e];
  return seen;
}

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
