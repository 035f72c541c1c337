// A diffusion model whose best network is a formula: independent normal components of variances
// lambda, in double precision. Its bounds, likelihoods and samplers have closed forms.
// [vdm/README 13]
#pragma once

#include "libcore/data/real_vectors.hpp"
#include "libcore/families/vdm/diffusion_model.hpp"
#include "libcore/model/plan.hpp"

#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace logpx::gauss_diffusion {

class GaussPredictor final : public vdm::NoisePredictor {
 public:
  explicit GaussPredictor(std::vector<double> lambda) : lambda_(std::move(lambda)) {}
  [[nodiscard]] std::int64_t dims() const override { return std::ssize(lambda_); }
  void predict(const vdm::NoisyRows& rows, std::span<double> noise) const override {
    for (std::size_t i = 0; i < noise.size(); ++i) noise[i] = factor(rows, i) * rows.z[i];
  }
  void predict_with_slope(const vdm::NoisyRows& rows, std::span<const double> direction,
                          std::span<double> noise, std::span<double> slope) const override {
    predict(rows, noise);
    for (std::size_t i = 0; i < slope.size(); ++i) slope[i] = factor(rows, i) * direction[i];
  }

 private:
  [[nodiscard]] double factor(const vdm::NoisyRows& rows, std::size_t i) const {
    const vdm::NoiseLevel level = vdm::Process{}.at(rows.gamma[i / lambda_.size()]);
    return level.sigma / (level.alpha2 * lambda_[i % lambda_.size()] + level.sigma2);
  }
  std::vector<double> lambda_;
};

struct Form {
  std::vector<double> lambda;
  std::int64_t levels = 0;  // 0: real numbers
  vdm::Variance variance = vdm::Variance::preserving;
  vdm::Endpoints ends = {};
  std::vector<double> mse_curve = {};
};

class GaussDiffusion final : public vdm::DiffusionModel {
 public:
  explicit GaussDiffusion(Form form)
      : form_(std::move(form)),
        predictor_(form_.lambda),
        likelihood_(form_.levels > 0 ? make_likelihood("categorical", form_.levels, {})
                                     : make_likelihood("gaussian", 0, {})),
        reader_(RowRules{}, *likelihood_, "gauss") {
    info_.family = "vdm";
    info_.data = real_vectors(predictor_.dims());
    if (form_.levels > 0) {
      info_.data.element = Element::u8;
      info_.data.levels = form_.levels;
      info_.data.measure = Measure::counting;
    }
    info_.samples = info_.data;
  }
  [[nodiscard]] const ModelInfo& model_info() const override { return info_; }
  [[nodiscard]] const RowReader& reader() const override { return reader_; }
  [[nodiscard]] const Likelihood& support() const override { return *likelihood_; }
  [[nodiscard]] std::int64_t levels() const override { return form_.levels; }
  [[nodiscard]] vdm::Process process() const override { return {form_.variance}; }
  [[nodiscard]] vdm::NoiseSchedule schedule() const override {
    return {vdm::make_curve({}, {}), form_.ends};
  }
  [[nodiscard]] const vdm::NoisePredictor& predictor() const override { return predictor_; }
  [[nodiscard]] std::unique_ptr<const vdm::NoisePredictor> repeatable_predictor() const override {
    return std::make_unique<GaussPredictor>(form_.lambda);
  }
  [[nodiscard]] std::int64_t timesteps() const override { return 0; }
  [[nodiscard]] std::span<const double> mse_curve() const override { return form_.mse_curve; }
  [[nodiscard]] bool knows_no_label() const override { return true; }

  // Rows of reals, or of levels near them.
  [[nodiscard]] Rows rows_of(std::span<const double> x) const {
    Rows rows;
    rows.count = std::ssize(x) / predictor_.dims();
    rows.x.resize(x.size() * info_.data.row_bytes() / form_.lambda.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (form_.levels == 0) rows.values<float>()[i] = static_cast<float>(x[i]);
      else rows.values<std::uint8_t>()[i] = nearest_level(x[i]);
    }
    return rows;
  }

 private:
  [[nodiscard]] std::uint8_t nearest_level(double x) const {
    const auto levels = static_cast<double>(form_.levels);
    const double place = std::floor((x + 1) / 2 * levels);
    return static_cast<std::uint8_t>(std::fmin(std::fmax(place, 0), levels - 1));
  }
  Form form_;
  GaussPredictor predictor_;
  std::unique_ptr<const Likelihood> likelihood_;
  RowReader reader_;
  ModelInfo info_;
};

// Scores by a plan with these settings, such as "timesteps=10".
inline Scores score(ScoringPlan& plan, const std::vector<std::string>& settings,
                    const Examples& examples, std::uint64_t seed = 1) {
  Fields fields;
  plan.describe(fields);
  for (const std::string& setting : settings) fields.set(setting, Origin::option);
  plan.settle();
  return plan.score(examples, Rng(seed));
}

}  // namespace logpx::gauss_diffusion
