// A variational diffusion model: p(z_1) = N(0, I), steps p(z_s|z_t) whose means a network
// predicts, and p(x|z_0).   [VDM; vdm/README 1]
#pragma once

#include "libcore/families/row_model.hpp"
#include "libcore/families/vdm/config.hpp"
#include "libcore/families/vdm/diffusion_model.hpp"
#include "libcore/families/vdm/networks/linear_gauss.hpp"
#include "libcore/families/vdm/networks/net_predictor.hpp"
#include "libcore/families/vdm/schedule/schedule_parameters.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace logpx::vdm {

// Shapes that no option determines: knots of --schedule table:FILE, and whether there is a curve.
struct StoredShapes {
  CurveTable table = {};
  bool mse_curve = false;
};

class VdmModel final : public ParamModel<Config>, public DiffusionModel {
 public:
  // A usage error when config and data do not fit each other.
  VdmModel(Config config, const DatasetInfo& data, StoredShapes stored = {});
  ~VdmModel() override;

  void params(const TensorVisitor& visit) override;
  void filled() override;

  [[nodiscard]] const Config& config() const { return config_; }
  [[nodiscard]] std::int64_t dims() const { return info_.data.dims(); }
  [[nodiscard]] const ModelInfo& model_info() const override { return info_; }
  [[nodiscard]] const RowReader& reader() const override { return reader_; }
  [[nodiscard]] const Likelihood& support() const override { return *support_; }
  [[nodiscard]] std::int64_t levels() const override { return levels_; }
  [[nodiscard]] Process process() const override { return {config_.process}; }
  [[nodiscard]] NoiseSchedule schedule() const override { return schedule(params_.block()); }
  [[nodiscard]] const NoisePredictor& predictor() const override { return *predictor_; }
  [[nodiscard]] std::unique_ptr<const NoisePredictor> repeatable_predictor() const override;
  [[nodiscard]] std::int64_t timesteps() const override { return config_.timesteps; }
  [[nodiscard]] std::span<const double> mse_curve() const override { return mse_curve_; }
  [[nodiscard]] bool knows_no_label() const override {
    return config_.classes == 0 || config_.label_drop > 0;
  }

  // With other weights than the model's own.
  [[nodiscard]] NoiseSchedule schedule(std::span<const float> theta) const {
    return schedule_.schedule(params_, theta);
  }
  [[nodiscard]] const ScheduleParameters& schedule_parameters() const { return schedule_; }
  // Adds to `gradient`, laid out like the parameters, whose values are `theta`.
  void add_schedule_gradient(const ScheduleParameters::Gradient& from, std::span<const float> theta,
                             std::span<float> gradient) const {
    schedule_.add_gradient(params_, theta, from, gradient);
  }
  // After an update: keeps each endpoint within `most` of where it was before.
  void limit_endpoints(Endpoints before, double most) {
    schedule_.limit_step(params_, before, most, params_.block());
  }
  [[nodiscard]] const ParamSet& param_set() const { return params_; }
  using ParamModel::param_set;
  // eps_hat [M,D] with the inputs of NetInputs.
  [[nodiscard]] Var noise(Graph& graph, std::int64_t rows, BlockPass pass) const;

  void take_moments(std::span<const double> mean, std::span<const double> covariance);
  void take_mse_curve(std::vector<double> curve) { mse_curve_ = std::move(curve); }

 private:
  [[nodiscard]] PredictedNet predicted() const;
  std::unique_ptr<const Likelihood> support_;
  RowReader reader_;
  std::int64_t levels_;
  CurveTable table_;
  std::vector<double> mse_curve_;
  ScheduleParameters schedule_;
  std::unique_ptr<const ScoreNet> net_;
  LinearGauss* gauss_ = nullptr;  // the net, if it is linear-gauss
  std::unique_ptr<NetPredictor> predictor_;
};

}  // namespace logpx::vdm
