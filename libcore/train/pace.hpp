// How long steps and evaluations take, measured on those that training makes anyway.
#pragma once

#include <cstdint>

namespace logpx {

// What a run has ahead of it, judged by its first steps.
struct TrainingForecast {
  std::int64_t steps = 0;    // those of a probe of rates among them
  double step_seconds = 0;   // of each
  double total_seconds = 0;  // of all steps and evaluations
};

inline constexpr double long_step = 1;  // seconds: one such step tells enough

class Pace {
 public:
  void add_step(double seconds);
  void add_evaluation(double seconds) { evaluation_seconds_ = seconds; }

  // After a few steps, or a long first one.
  [[nodiscard]] bool is_known() const;
  [[nodiscard]] double step_seconds() const;
  [[nodiscard]] double evaluation_seconds() const { return evaluation_seconds_; }

 private:
  int later_ = 0;  // steps after the first, which also makes graphs and buffers
  double first_seconds_ = -1, later_seconds_ = 0, evaluation_seconds_ = 0;
};

}  // namespace logpx
