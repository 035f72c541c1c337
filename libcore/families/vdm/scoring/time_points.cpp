#include "libcore/families/vdm/scoring/time_points.hpp"

#include "libcore/base/index.hpp"
#include "libcore/det/functions.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace logpx::vdm {

TimePoint TimeIntegral::at(double u) const {
  if (gammas_.empty()) {
    const CurvePoint gamma = schedule_.at(u);
    return {u, gamma.value, 0.5 * gamma.slope};
  }
  const auto below = static_cast<std::int64_t>(std::floor(u * static_cast<double>(steps())));
  return step(std::min(below + 1, steps()));
}

TimePoint TimeIntegral::step(std::int64_t i) const {
  const auto all = static_cast<double>(steps());
  const double gamma = gammas_[logpx::at(i)];
  return {static_cast<double>(i) / all, gamma,
          0.5 * all * det_expm1(gamma - gammas_[logpx::at(i - 1)])};
}

std::vector<double> even_times(double start, std::int64_t n) {
  std::vector<double> times;
  for (std::int64_t j = 0; j < n; ++j) {
    const double t = start + static_cast<double>(j) / static_cast<double>(n);
    times.push_back(t - std::floor(t));
  }
  return times;
}

std::vector<std::int64_t> spread_steps(double u, std::int64_t steps, std::int64_t count) {
  std::vector<std::int64_t> some;
  for (std::int64_t j = 0; j < count; ++j)
    some.push_back(
        static_cast<std::int64_t>((static_cast<double>(j) + u) * static_cast<double>(steps) /
                                  static_cast<double>(count)) +
        1);
  return some;
}

namespace {

// Numbers of draws and times that no score uses.
constexpr std::uint64_t first_alone = std::uint64_t{1} << 32, first_even = std::uint64_t{2} << 32;
constexpr std::uint64_t first_time = 16;

double variance_of(std::span<const double> values) {
  double mean = 0, squares = 0;
  for (const double value : values) mean += value;
  mean /= static_cast<double>(values.size());
  for (const double value : values) squares += (value - mean) * (value - mean);
  return squares / static_cast<double>(values.size() - 1);
}

// The diffusion term of each row by one draw at times[row], in bits per dimension.
std::vector<double> draw_rows(const DrawnTerm& term, std::span<const double> times,
                              std::uint64_t draw, const Rng& rng) {
  std::vector<NoisyPlace> places;
  std::vector<double> weights;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const TimePoint point = term.integral.at(times[i]);
    places.push_back({static_cast<std::int64_t>(i), point.gamma, draw});
    weights.push_back(point.weight);
  }
  std::vector<double> bits = denoising_errors(term.denoiser, term.rows, places, rng);
  const double unit = static_cast<double>(term.rows.dims) * std::numbers::ln2;
  for (std::size_t i = 0; i < bits.size(); ++i) bits[i] *= weights[i] / unit;
  return bits;
}

}  // namespace

Scores::Columns variances_of_draws(const DrawnTerm& term, std::int64_t repeats, const Rng& rng) {
  const std::int64_t rows = term.rows.count;
  std::vector<std::vector<double>> alone(at(rows));
  std::vector<double> means;
  for (std::int64_t r = 0; r < repeats; ++r) {
    const auto number = static_cast<std::uint64_t>(r);
    std::vector<double> times;
    for (std::int64_t i = 0; i < rows; ++i)
      times.push_back(
          rng.stream(Stream::time, term.rows.number(i)).uniform(first_time + 2 * number));
    const std::vector<double> bits = draw_rows(term, times, first_alone + number, rng);
    for (std::int64_t i = 0; i < rows; ++i) alone[at(i)].push_back(bits[at(i)]);
    const double start =
        rng.stream(Stream::time, term.rows.number(0)).uniform(first_time + 2 * number + 1);
    double sum = 0;
    for (const double value : draw_rows(term, even_times(start, rows), first_even + number, rng))
      sum += value;
    means.push_back(sum / static_cast<double>(rows));
  }
  Scores::Columns columns = {{"variance", {}}, {"variance_stratified", {}}};
  for (const std::vector<double>& values : alone) columns[0].second.push_back(variance_of(values));
  columns[1].second.assign(at(rows), variance_of(means) * static_cast<double>(rows));
  return columns;
}

}  // namespace logpx::vdm
