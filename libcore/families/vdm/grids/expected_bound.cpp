#include "libcore/families/vdm/grids/expected_bound.hpp"

#include "libcore/families/vdm/grids/step_knobs.hpp"
#include "libcore/families/vdm/process.hpp"

#include <algorithm>
#include <cmath>

namespace logpx::vdm {
namespace {

constexpr double least_error = 0.01;  // of that of normal components: a curve may touch 0

// Linear between its equally spaced points.
class ErrorCurve {
 public:
  ErrorCurve(const Endpoints& ends, std::span<const double> values)
      : ends_(ends), values_(values), spacing_(ends.gap() / static_cast<double>(intervals())) {}
  [[nodiscard]] double of_steps(std::span<const double> gammas) const {
    double sum = 0;
    for (std::size_t i = 1; i < gammas.size(); ++i)
      sum += 0.5 * std::expm1(gammas[i] - gammas[i - 1]) * at(gammas[i]);
    return sum;
  }
  [[nodiscard]] double of_continuous_time() const {
    double sum = -0.5 * (values_.front() + values_.back());
    for (const double value : values_) sum += value;
    return 0.5 * spacing_ * sum;
  }
  [[nodiscard]] double at(double gamma) const {
    const double place =
        std::clamp((gamma - ends_.first) / spacing_, 0.0, static_cast<double>(intervals()));
    const std::size_t left = std::min(static_cast<std::size_t>(place), intervals() - 1);
    const double share = place - static_cast<double>(left);
    return values_[left] + share * (values_[left + 1] - values_[left]);
  }

 private:
  [[nodiscard]] std::size_t intervals() const { return values_.size() - 1; }
  Endpoints ends_;
  std::span<const double> values_;
  double spacing_;
};

// E -ln p(k|z_0) of a level with others on both sides of it.
double expected_level_nats(std::int64_t levels, double gamma_0) {
  const LevelDecoder decoder(levels, gamma_0);
  const std::int64_t middle = levels / 2;
  double sum = 0, weights = 0;
  for (int i = -80; i <= 80; ++i) {
    const double eps = 0.1 * i, weight = std::exp(-0.5 * eps * eps);
    const double r = value_of_level(middle, levels) + std::exp(0.5 * gamma_0) * eps;
    sum -= weight * decoder.log_probability(middle, r);
    weights += weight;
  }
  return sum / weights;
}

}  // namespace

double expected_excess(const DiffusionModel& model, std::span<const double> gammas) {
  if (model.mse_curve().empty()) return 0;
  const NoiseSchedule schedule = model.schedule();
  const ErrorCurve errors(schedule.ends(), model.mse_curve());
  const double recon = static_cast<double>(model.predictor().dims()) *
                       expected_level_nats(model.levels(), schedule.ends().first);
  const double trained = model.timesteps() == 0
                             ? errors.of_continuous_time()
                             : errors.of_steps(uniform_grid(schedule, model.timesteps()));
  return (recon + errors.of_steps(gammas)) / (recon + trained) - 1;
}

std::vector<double> expected_errors(const DiffusionModel& model, std::span<const double> gammas) {
  std::vector<double> errors;
  for (const double gamma : gammas) errors.push_back(Process{}.at(gamma).sigma2);
  if (model.mse_curve().empty()) return errors;
  const ErrorCurve curve(model.schedule().ends(), model.mse_curve());
  const auto dims = static_cast<double>(model.predictor().dims());
  for (std::size_t i = 0; i < errors.size(); ++i)
    errors[i] = std::max(std::exp(gammas[i]) * curve.at(gammas[i]) / dims, least_error * errors[i]);
  return errors;
}

}  // namespace logpx::vdm
