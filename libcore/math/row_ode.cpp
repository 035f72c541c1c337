#include "libcore/math/row_ode.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace logpx {
namespace {

constexpr std::size_t stages = 7;
using Tableau = std::array<std::array<double, stages>, stages>;

// The last line is the result of fifth order, whose slope begins the next step.
constexpr Tableau weights_of_stages = {{
    {},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
}};
constexpr std::array<double, stages> times_of_stages = {0,       1.0 / 5, 3.0 / 10, 4.0 / 5,
                                                        8.0 / 9, 1,       1};
// The result of fourth order less that of fifth.
constexpr std::array<double, stages> error_weights = {
    -71.0 / 57600, 0, 71.0 / 16695, -71.0 / 1920, 17253.0 / 339200, -22.0 / 525, 1.0 / 40};

// All rows, each at a time of its own, with the step that it tries; 0 once it has arrived.
class AdaptiveRows {
 public:
  AdaptiveRows(const RowOde& ode, const AdaptiveSteps& steps, std::span<double> y)
      : ode_(ode),
        steps_(steps),
        y_(y),
        width_(at(ode.width)),
        t_(y.size() / width_, steps.from),
        h_(t_.size(), (steps.to - steps.from) / 100),
        trial_(y.size()),
        stage_time_(t_.size()) {
    for (std::vector<double>& slope : slopes_) slope.resize(y.size());
    ode_.slope(t_, y_, slopes_[0]);
  }

  void run() {
    for (std::int64_t n = 0; std::ranges::any_of(h_, [](double h) { return h != 0; }); ++n) {
      if (n == steps_.most)
        fail(ErrorKind::numeric, "",
             "needs more than " + std::to_string(steps_.most) +
                 " steps to follow the flow within a tolerance of " +
                 std::to_string(steps_.tolerance));
      try_steps();
      for (std::size_t row = 0; row < h_.size(); ++row)
        if (h_[row] != 0) judge(row);
    }
  }

 private:
  void try_steps() {
    for (std::size_t s = 1; s < stages; ++s) {
      std::ranges::copy(y_, trial_.begin());
      for (std::size_t before = 0; before < s; ++before) {
        const double weight = weights_of_stages[s][before];
        if (weight == 0) continue;
        for (std::size_t i = 0; i < trial_.size(); ++i)
          trial_[i] += h_[i / width_] * weight * slopes_[before][i];
      }
      for (std::size_t row = 0; row < t_.size(); ++row)
        stage_time_[row] = t_[row] + times_of_stages[s] * h_[row];
      ode_.slope(stage_time_, trial_, slopes_[s]);
    }
  }

  // The error of a row in units of what is tolerated.
  [[nodiscard]] double error_of(std::size_t row) const {
    double squares = 0;
    for (std::size_t i = row * width_; i < (row + 1) * width_; ++i) {
      double error = 0;
      for (std::size_t s = 0; s < stages; ++s) error += error_weights[s] * slopes_[s][i];
      const double size = std::max({1.0, std::abs(y_[i]), std::abs(trial_[i])});
      const double off = h_[row] * error / (steps_.tolerance * size);
      squares += off * off;
    }
    return std::sqrt(squares / static_cast<double>(width_));
  }

  void judge(std::size_t row) {
    const double error = error_of(row);
    if (!std::isfinite(error))
      fail(ErrorKind::numeric, "", "the flow is not finite at gamma " + std::to_string(t_[row]));
    const bool last = h_[row] == steps_.to - t_[row];
    if (error <= 1) {
      const std::size_t first = row * width_;
      std::copy_n(trial_.begin() + static_cast<std::ptrdiff_t>(first), width_,
                  y_.begin() + static_cast<std::ptrdiff_t>(first));
      std::copy_n(slopes_[stages - 1].begin() + static_cast<std::ptrdiff_t>(first), width_,
                  slopes_[0].begin() + static_cast<std::ptrdiff_t>(first));
      t_[row] = last ? steps_.to : t_[row] + h_[row];
      if (last) {
        h_[row] = 0;
        return;
      }
    }
    const double left = steps_.to - t_[row];
    const double factor = error > 0 ? std::clamp(0.9 * std::pow(error, -0.2), 0.2, 5.0) : 5.0;
    h_[row] *= factor;
    // a step that nearly arrives goes all the way: the rest would be no step
    if (std::abs(h_[row]) >= std::abs(left) * (1 - 1e-12)) h_[row] = left;
  }

  const RowOde& ode_;
  const AdaptiveSteps& steps_;
  std::span<double> y_;
  std::size_t width_;
  std::vector<double> t_, h_, trial_, stage_time_;
  std::array<std::vector<double>, stages> slopes_;
};

}  // namespace

void runge_kutta_4(const RowOde& ode, const EvenSteps& steps, std::span<double> y) {
  const std::size_t rows = y.size() / at(ode.width);
  const double h = (steps.to - steps.from) / static_cast<double>(steps.count);
  std::vector<double> slope(y.size()), sum(y.size()), trial(y.size()), t(rows);
  constexpr std::array<double, 4> part = {0, 0.5, 0.5, 1}, weight = {1, 2, 2, 1};
  for (std::int64_t n = 0; n < steps.count; ++n) {
    std::ranges::fill(sum, 0.0);
    for (std::size_t stage = 0; stage < 4; ++stage) {
      for (std::size_t i = 0; i < y.size(); ++i) trial[i] = y[i] + h * part[stage] * slope[i];
      std::ranges::fill(t, steps.from + h * (static_cast<double>(n) + part[stage]));
      ode.slope(t, trial, slope);
      for (std::size_t i = 0; i < y.size(); ++i) sum[i] += weight[stage] * slope[i];
    }
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += h / 6 * sum[i];
  }
}

void dormand_prince(const RowOde& ode, const AdaptiveSteps& steps, std::span<double> y) {
  AdaptiveRows(ode, steps, y).run();
}

}  // namespace logpx
