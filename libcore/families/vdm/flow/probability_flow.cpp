#include "libcore/families/vdm/flow/probability_flow.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/stop.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace logpx::vdm {
namespace {

// The levels of one evaluation of a slope. A walk may take very many, so each looks for a stop.
std::vector<NoiseLevel> levels_at(const Process& process, std::span<const double> gammas) {
  stop::check();
  std::vector<NoiseLevel> levels;
  for (const double gamma : gammas) levels.push_back(process.at(gamma));
  return levels;
}

// d ln alpha / d gamma
double shrinking(const Process& process, const NoiseLevel& level) {
  return process.variance == Variance::preserving ? -level.sigma2 / 2 : 0;
}

void integrate(const RowOde& ode, const FlowSteps& steps, std::pair<double, double> range,
               std::span<double> y) {
  if (steps.tolerance > 0)
    dormand_prince(ode, {.from = range.first, .to = range.second, .tolerance = steps.tolerance}, y);
  else runge_kutta_4(ode, {range.first, range.second, steps.count}, y);
}

// eps_hat of rows, and for each direction^T (d eps_hat / d z) direction, or the whole trace.
class NoiseAndTrace {
 public:
  NoiseAndTrace(const Denoiser& denoiser, const ProbabilityFlow::Rows& rows)
      : denoiser_(denoiser), rows_(rows), dims_(at(denoiser.dims())) {}

  void operator()(std::span<const double> z, std::span<const NoiseLevel> levels,
                  std::span<double> noise, std::span<double> trace) {
    if (rows_.directions.empty()) return all_directions(z, levels, noise, trace);
    slope_.resize(z.size());
    denoiser_.noise_with_slope({z, levels, rows_.labels}, rows_.directions, noise, slope_);
    for (std::size_t row = 0; row < trace.size(); ++row) {
      trace[row] = 0;
      for (std::size_t i = row * dims_; i < (row + 1) * dims_; ++i)
        trace[row] += slope_[i] * rows_.directions[i];
    }
  }

 private:
  // Row by row, with one copy of the row for each dimension.
  void all_directions(std::span<const double> z, std::span<const NoiseLevel> levels,
                      std::span<double> noise, std::span<double> trace) {
    std::vector<double> copies(dims_ * dims_), noises(copies.size()), unit(copies.size());
    slope_.resize(copies.size());
    for (std::size_t d = 0; d < dims_; ++d) unit[d * dims_ + d] = 1;
    for (std::size_t row = 0; row < trace.size(); ++row) {
      const auto own = z.subspan(row * dims_, dims_);
      for (std::size_t d = 0; d < dims_; ++d)
        std::ranges::copy(own, copies.begin() + static_cast<std::ptrdiff_t>(d * dims_));
      const std::vector<NoiseLevel> same(dims_, levels[row]);
      std::vector<std::int32_t> label;
      if (!rows_.labels.empty()) label.assign(dims_, rows_.labels[row]);
      denoiser_.noise_with_slope({copies, same, label}, unit, noises, slope_);
      std::copy_n(noises.begin(), dims_, noise.begin() + static_cast<std::ptrdiff_t>(row * dims_));
      trace[row] = 0;
      for (std::size_t d = 0; d < dims_; ++d) trace[row] += slope_[d * dims_ + d];
    }
  }

  const Denoiser& denoiser_;
  const ProbabilityFlow::Rows& rows_;
  std::size_t dims_;
  std::vector<double> slope_;
};

}  // namespace

void ProbabilityFlow::follow(std::span<double> z, std::span<const std::int32_t> labels,
                             const FlowSteps& steps, std::pair<double, double> range) const {
  const std::size_t dims = at(denoiser_.dims());
  const RowOde ode{
      denoiser_.dims(),
      [&](std::span<const double> gammas, std::span<const double> at_z, std::span<double> slope) {
        const std::vector<NoiseLevel> levels = levels_at(denoiser_.process(), gammas);
        denoiser_.noise({at_z, levels, labels}, slope);
        for (std::size_t i = 0; i < slope.size(); ++i) {
          const NoiseLevel& level = levels[i / dims];
          slope[i] = shrinking(denoiser_.process(), level) * at_z[i] + level.sigma / 2 * slope[i];
        }
      }};
  integrate(ode, steps, range, z);
}

// The change of ln p is one more number of each row, after its z.
RowOde ProbabilityFlow::with_density(const Rows& rows) const {
  const std::size_t dims = at(denoiser_.dims()), width = dims + 1;
  return {denoiser_.dims() + 1, [this, dims, width, measure = NoiseAndTrace(denoiser_, rows)](
                                    std::span<const double> gammas, std::span<const double> y,
                                    std::span<double> slope) mutable {
            const std::size_t count = gammas.size();
            std::vector<double> z(count * dims), noise(count * dims), trace(count);
            for (std::size_t i = 0; i < z.size(); ++i) z[i] = y[i / dims * width + i % dims];
            const std::vector<NoiseLevel> levels = levels_at(denoiser_.process(), gammas);
            measure(z, levels, noise, trace);
            for (std::size_t row = 0; row < count; ++row) {
              const NoiseLevel& level = levels[row];
              const double shrink = shrinking(denoiser_.process(), level);
              for (std::size_t d = 0; d < dims; ++d) {
                const std::size_t i = row * dims + d;
                slope[row * width + d] = shrink * z[i] + level.sigma / 2 * noise[i];
              }
              slope[row * width + dims] =
                  static_cast<double>(dims) * shrink + level.sigma / 2 * trace[row];
            }
          }};
}

std::vector<double> ProbabilityFlow::log_density(const Rows& rows, const FlowSteps& steps) const {
  const std::size_t dims = at(denoiser_.dims()), width = dims + 1, count = rows.z.size() / dims;
  std::vector<double> y(count * width);
  for (std::size_t i = 0; i < rows.z.size(); ++i) y[i / dims * width + i % dims] = rows.z[i];
  integrate(with_density(rows), steps, {ends_.first, ends_.last}, y);
  const double deviation = denoiser_.process().prior_deviation(ends_.last);
  const double constant = 0.5 * std::log(2 * std::numbers::pi) + std::log(deviation);
  std::vector<double> log_p;
  for (std::size_t row = 0; row < count; ++row) {
    double sum = y[row * width + dims];
    for (std::size_t d = 0; d < dims; ++d) {
      const double u = y[row * width + d] / deviation;
      sum -= constant + 0.5 * u * u;
    }
    log_p.push_back(sum);
  }
  return log_p;
}

}  // namespace logpx::vdm
