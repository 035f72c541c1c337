// The diffusion term of one row at one time, factor * m with m = ||eps - eps_hat||^2, and its pull
// on gamma.   [VDM eqs. 13, 17; vdm/README 5.1, 7.1]
//
//   T steps      (T/2) expm1(gamma_t - gamma_s) w(gamma_t),   s = (i-1)/T, t = i/T
//   continuous   (1/2) gamma'(t) w(gamma_t)
#pragma once

#include "libcore/families/vdm/schedule/noise_schedule.hpp"
#include "libcore/families/vdm/schedule/schedule_parameters.hpp"

#include <cstdint>
#include <span>

namespace logpx::vdm {

struct TimedLoss {
  double time = 0, earlier = 0;  // t, and s where there are steps
  double gamma = 0, factor = 0;
  // d factor / d gamma(t), gamma'(t), gamma(s)
  double by_gamma = 0, by_slope = 0, by_earlier = 0;
};

class TimedLosses {
 public:
  TimedLosses(std::int64_t timesteps, LossWeight weight)
      : timesteps_(timesteps), weight_(std::move(weight)) {}
  // For u in [0,1): t = u, or the step i = min(floor(u T) + 1, T).
  [[nodiscard]] TimedLoss at(const NoiseSchedule& schedule, double u) const;
  [[nodiscard]] std::int64_t step_of(double u) const;
  [[nodiscard]] bool is_bound() const { return weight_.is_bound(); }
  [[nodiscard]] bool is_continuous() const { return timesteps_ == 0; }

 private:
  std::int64_t timesteps_;
  LossWeight weight_;
};

// u of the row at `place` among `rows`, evenly spaced behind the draw `first` for all of them.
[[nodiscard]] double stratified_time(double first, std::int64_t place, std::int64_t rows);

// A row with what came out of its reverse pass.
struct RowPull {
  TimedLoss loss;
  double error = 0;     // m
  double by_error = 0;  // factor * dm / d gamma(t): through z and what the network is told
};

// Which gradients are wanted, and in which units.
struct PullRule {
  double share = 1;    // of a row in the mean
  double unit = 1;     // of the loss per nat: 1 / (D ln 2) for bits/dim
  bool ends = true;    // along the path of z; else ends_phase has them
  bool curve = false;  // continuous: of the loss's variance; steps: of the loss
  bool continuous = true;
};
[[nodiscard]] ScheduleParameters::Gradient schedule_gradient(const NoiseSchedule& schedule,
                                                             std::span<const RowPull> rows,
                                                             std::size_t curve_size,
                                                             const PullRule& rule);

}  // namespace logpx::vdm
