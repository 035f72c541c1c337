#include "libcore/families/vdm/training/task.hpp"

#include "libcore/families/vdm/scoring/mse_curve.hpp"
#include "libcore/families/vdm/training/ends_phase.hpp"

#include <algorithm>
#include <vector>

namespace logpx::vdm {
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

std::int64_t VdmTask::data_bytes() const {
  return rows_.bytes() + (data_.valid ? std::ssize(data_.valid->rows.x) : 0);
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
  const Examples& judged = data_.valid ? *data_.valid : data_.train;
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
  const std::int64_t rows = std::min(options_.mse_rows, data_.train.rows.count);
  if (rows == 0) return;
  const Rows held = slice_rows(data_.train.rows, 0, rows);
  const std::span<float> block = model_.param_set().block();
  const std::vector<float> kept(block.begin(), block.end());
  std::ranges::copy(weights, block.begin());
  model_.take_mse_curve(
      measure_mse_curve(model_, {data_.train.info, held, data_.train.first}, workers));
  std::ranges::copy(kept, block.begin());
}

}  // namespace logpx::vdm
