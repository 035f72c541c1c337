#include "libcore/families/vdm/family.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/given_options.hpp"
#include "libcore/base/index.hpp"
#include "libcore/families/synthetic_rows.hpp"
#include "libcore/families/vdm/coding/codec.hpp"
#include "libcore/families/vdm/sampling/sampling_plan.hpp"
#include "libcore/families/vdm/scoring/elbo_scoring.hpp"
#include "libcore/families/vdm/scoring/flow_scoring.hpp"
#include "libcore/families/vdm/scoring/trajectory_scoring.hpp"
#include "libcore/families/vdm/training/task.hpp"
#include "libcore/model/column_reading.hpp"
#include "libcore/model/stored_tensors.hpp"

#include <algorithm>

namespace logpx::vdm {
namespace {

constexpr StoredLimits of_knots = {.most = 1 << 16, .least = 2};

// Config and data determine all shapes except the knots of a table and whether there is a curve.
class VdmDraft final : public ModelDraft {
 public:
  void describe(Fields& fields) override { config_.describe(fields); }
  void take(std::span<const TensorRef> stored) override {
    shapes_.mse_curve = is_stored(stored, "mse_curve");
    if (!is_stored(stored, "schedule/table/t")) return;
    shapes_.table = {stored_values<double>(stored, "schedule/table/t", of_knots),
                     stored_values<double>(stored, "schedule/table/g", of_knots)};
  }
  [[nodiscard]] std::unique_ptr<Model> build(const DatasetInfo& data) const override {
    return std::make_unique<VdmModel>(config_, data, shapes_);
  }

 private:
  Config config_;
  StoredShapes shapes_;
};

std::int64_t classes_of(const Examples& rows) {
  if (!rows.info.has_labels)
    fail(ErrorKind::usage, "--labels",
         "needs data with labels, and " + rows.info.name + " has none");
  if (!rows.info.label_names.empty()) return std::ssize(rows.info.label_names);
  return rows.rows.y.empty() ? 1 : 1 + std::max(0, std::ranges::max(rows.rows.y));
}

void take_moments(VdmModel& model, const Moments& given, const Examples& examples) {
  const Moments moments = given.empty() ? moments_of(model.reader(), model.levels(), examples)
                                        : network_moments(given, model.levels(), model.info().data);
  model.take_moments(moments.mean, moments.covariance);
}

Settings with_model(Settings settings, const Config& settled) {
  settings.model = settled;
  return settings;
}

}  // namespace

Trainee make_trainee(const Settings& settings, const TaskData& data, Rng rng,
                     const TraineeParts& parts) {
  Config config = settings.model;
  LossWeight weight(settings.learning.weight, parts.weight);
  if (config.labels) config.classes = classes_of(data.train);
  config.check_data(data.train.info);
  const DatasetInfo info = with_standardisation(config, data.train);
  if (config.schedule.kind() == CurveKind::table && parts.schedule.t.empty())
    fail(ErrorKind::usage, "--schedule table", "needs a file: table:FILE");
  config.settle(info, parts.schedule, weight.is_bound());
  settings.learning.validate(config);
  auto model = std::make_unique<VdmModel>(config, info, StoredShapes{.table = parts.schedule});
  if (parts.given != nullptr) refuse_unread(*parts.given, with_model(settings, model->config()));
  model->initialise(rng);
  if (config.net.kind == NetKind::linear_gauss) take_moments(*model, parts.moments, data.train);
  auto task = std::make_unique<VdmTask>(*model, settings.learning, std::move(weight), data);
  Trainee trainee{std::move(model), std::move(task), settings.training, parts.given_hash};
  const bool found = data.train.info.standardisation.empty() && !info.standardisation.empty();
  if (found) trainee.say_first(std::string("the data hold real numbers: ") + in_deviations);
  return trainee;
}

Family family() {
  return {.name = "vdm",
          .summary = "variational diffusion model",
          .trainer = "train-vdm",
          .draft = [] { return std::make_unique<VdmDraft>(); },
          .score = {{elbo_method, "the bound that training goes by", from_model(make_elbo_scoring),
                     list_knobs<ElboSettings>},
                    {iwae_method, "a tighter bound, by weights on several draws",
                     from_model(make_trajectory_scoring), list_knobs<TrajectorySettings>},
                    {ode_method, "the flow of a diffusion, along which log p(x) is an integral",
                     from_model(make_flow_scoring), list_knobs<FlowSettings>}},
          .sample = from_model(make_sampling),
          .code = from_model(make_codec),
          .knobs = {.sample = list_knobs<SamplingSettings>, .code = list_knobs<CodingSettings>},
          .trainee = by_preset(make_trainee),
          .tiny_rows = rows_as_asked({.name = "bars"})};
}

}  // namespace logpx::vdm
