#include "libcore/families/vdm/model.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/families/vdm/grids/fitted_grid.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace logpx::vdm {
namespace {

constexpr std::int64_t rows_at_once = 16;  // a pass is long, and there are many
constexpr double farthest_gamma = 60;

Config settled(Config config, const DatasetInfo& data, const CurveTable& table) {
  if (config.schedule.kind() == CurveKind::table) table.check("schedule/table");
  config.settle(data, table);
  return config;
}

}  // namespace

VdmModel::VdmModel(Config config, const DatasetInfo& data, StoredShapes stored)
    : ParamModel(settled(std::move(config), data, stored.table)),
      support_(config_.support(data)),
      reader_(config_.rules(data), *support_, "a model of these data"),
      levels_(config_.levels(data)),
      table_(std::move(stored.table)),
      mse_curve_(stored.mse_curve ? curve_points : 0),
      schedule_(site() / "schedule", config_.schedule, table_) {
  info_ = reading_info("vdm", data, reader_.rules(), *support_);
  info_.data.label_names = data.label_names;
  info_.block = rows_at_once;
  const NetForm form{.options = config_.net,
                     .extents = extents_of(data),
                     .exponents = config_.net.exponents(levels_),
                     .ends = config_.schedule.ends(),
                     .classes = config_.classes,
                     .marks_changes = config_.aug_flag};
  if (form.options.kind == NetKind::unet) net_ = picture_net(site() / "net", form);
  else if (form.options.kind == NetKind::mlp) net_ = dense_net(site() / "net", form);
  else {
    auto gauss = std::make_unique<LinearGauss>(data.dims());
    gauss_ = gauss.get();
    net_ = std::move(gauss);
  }
  predictor_ = std::make_unique<NetPredictor>(predicted(), Numerics{});
}

VdmModel::~VdmModel() = default;

PredictedNet VdmModel::predicted() const {
  return {.params = params_,
          .build =
              [this](Graph& graph, std::int64_t rows) {
                graph.output("eps_hat", noise(graph, rows, BlockPass::evaluation));
              },
          .dims = dims(),
          .classes = config_.classes};
}

std::unique_ptr<const NoisePredictor> VdmModel::repeatable_predictor() const {
  return std::make_unique<NetPredictor>(predicted(), repeatable_numerics);
}

Var VdmModel::noise(Graph& graph, std::int64_t rows, BlockPass pass) const {
  NetInputs in{.z = graph.input("z", {rows, dims()}), .gamma = graph.input("gamma", {rows})};
  if (config_.classes > 0) in.label = graph.index_input("label", {rows});
  if (config_.aug_flag) in.changed = graph.input("changed", {rows});
  return (*net_)(params_, in, pass);
}

void VdmModel::params(const TensorVisitor& visit) {
  ParamModel::params(visit);
  const auto constant = [&](const char* name, std::vector<double>& values) {
    if (!values.empty())
      visit(TensorRef::of(name, std::span(values), {std::ssize(values)}), TensorRole::constant);
  };
  constant("schedule/table/t", table_.t);
  constant("schedule/table/g", table_.g);
  constant("mse_curve", mse_curve_);
  if (gauss_ != nullptr) gauss_->visit(visit);
  predictor_->clear();  // the visitor may have filled them
}

void VdmModel::filled() {
  for (const double mse : mse_curve_)
    if (!std::isfinite(mse) || mse < 0)
      fail(ErrorKind::data, "mse_curve", "holds a value that is no mean of squares");
  if (gauss_ != nullptr) gauss_->check();
  const Endpoints ends = schedule().ends();
  if (std::fabs(ends.first) > farthest_gamma || std::fabs(ends.last) > farthest_gamma)
    fail(ErrorKind::data, "the noise schedule",
         "goes from " + to_text(ends.first) + " to " + to_text(ends.last) +
             ", and noise is between -" + to_text(farthest_gamma) + " and " +
             to_text(farthest_gamma));
}

void VdmModel::take_moments(std::span<const double> mean, std::span<const double> covariance) {
  LOGPX_ASSERT(gauss_ != nullptr);
  gauss_->take(mean, covariance);
  predictor_->clear();
}

}  // namespace logpx::vdm
