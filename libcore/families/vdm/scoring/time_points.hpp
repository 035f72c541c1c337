// Times at which a bound evaluates its integrand, and their weights.
// [vdm/README 5.1, 11.1]
#pragma once

#include "libcore/base/rng.hpp"
#include "libcore/families/vdm/schedule/noise_schedule.hpp"
#include "libcore/families/vdm/scoring/scored_rows.hpp"

#include <cstdint>
#include <vector>

namespace logpx::vdm {

struct TimePoint {
  double t = 0, gamma = 0;
  double weight = 0;  // factor on the squared error there, in a mean over such points
};

// The diffusion term as an integral over time, or as the mean over T steps.
class TimeIntegral {
 public:
  explicit TimeIntegral(NoiseSchedule schedule) : schedule_(std::move(schedule)) {}
  // Steps that stop at these gammas, T + 1 of them.
  TimeIntegral(NoiseSchedule schedule, std::vector<double> gammas)
      : schedule_(std::move(schedule)), gammas_(std::move(gammas)) {}

  [[nodiscard]] const NoiseSchedule& schedule() const { return schedule_; }
  [[nodiscard]] std::int64_t steps() const { return std::ssize(gammas_) - 1; }  // -1: continuous
  // For u in [0, 1): the time u, or the step that it falls into.
  [[nodiscard]] TimePoint at(double u) const;
  // Step i of 1 .. T.
  [[nodiscard]] TimePoint step(std::int64_t i) const;

 private:
  NoiseSchedule schedule_;
  std::vector<double> gammas_;
};

// u_0, u_0 + 1/n, u_0 + 2/n .. modulo 1
[[nodiscard]] std::vector<double> even_times(double start, std::int64_t n);

// Chooses `count` of the steps 1 .. `steps`, evenly spread behind a place u in [0, 1): each step
// with probability count / steps.
[[nodiscard]] std::vector<std::int64_t> spread_steps(double u, std::int64_t steps,
                                                     std::int64_t count);

// How far single draws of the diffusion term scatter.   [VDM table 4b; vdm/README 11.1]
struct DrawnTerm {
  const Denoiser& denoiser;
  const TimeIntegral& integral;
  const ScoredRows& rows;
};
// In (bits/dim)^2: "variance" of `repeats` draws at independent times, for each row; and
// "variance_stratified", of draws whose times are spread evenly over the rows: that of their mean
// times the number of rows.
[[nodiscard]] Scores::Columns variances_of_draws(const DrawnTerm& term, std::int64_t repeats,
                                                 const Rng& rng);

}  // namespace logpx::vdm
