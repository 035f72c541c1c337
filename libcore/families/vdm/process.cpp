#include "libcore/families/vdm/process.hpp"

#include "libcore/det/functions.hpp"

#include <cmath>
#include <numbers>

namespace logpx::vdm {
namespace {

constexpr double negligible = 12;  // deviations beyond the nearest level: e^-72
const double log_two_pi = std::log(2 * std::numbers::pi);

}  // namespace

LevelDecoder::LevelDecoder(std::int64_t levels, double gamma_0)
    : levels_(levels),
      reach_(levels),
      spacing_(2 / static_cast<double>(levels)),
      precision_(det_exp(-gamma_0)) {
  const double deviation = std::sqrt(1 / precision_);
  if (deviation < 4 * spacing_)
    reach_ = static_cast<std::int64_t>(negligible * deviation / spacing_) + 1;
}

LevelDecoder::Window LevelDecoder::window(double r) const {
  const double place = (r + 1) / spacing_ - 0.5, top = static_cast<double>(levels_ - 1);
  const auto nearest =
      static_cast<std::int64_t>(std::floor(std::clamp(place, 0.0, top) + 0.5));  // NaN: refused
  return {nearest, std::max<std::int64_t>(nearest - reach_, 0),
          std::min(nearest + reach_ + 1, levels_), r - value_of_level(nearest, levels_)};
}

template <typename Use>
void LevelDecoder::for_each_weight(const Window& near, Use use) const {
  for (std::int64_t k = near.begin; k < near.end; ++k) use(k, det_exp(relative(near, k)));
}

double LevelDecoder::log_probability(std::int64_t level, double r) const {
  const Window near = window(r);
  double others = 0;  // the nearest has weight 1
  for_each_weight(near, [&](std::int64_t k, double weight) {
    if (k != near.nearest) others += weight;
  });
  return relative(near, level) - det_log1p(others);
}

LevelDecoder::Slopes LevelDecoder::slopes(std::int64_t level, double r) const {
  const Window near = window(r);
  // Sums over steps from the nearest level: with r = nearest + off,
  // (r - x_k)^2 = off^2 + step (step - 2 off), and off^2 cancels in every difference.
  double total = 0, step_sum = 0, square_sum = 0;
  const auto step_to = [&](std::int64_t k) {
    return static_cast<double>(k - near.nearest) * spacing_;
  };
  const auto square = [&](double step) { return step * (step - 2 * near.off); };
  for_each_weight(near, [&](std::int64_t k, double weight) {
    const double step = step_to(k);
    total += weight;
    step_sum += weight * step;
    square_sum += weight * square(step);
  });
  const double step = step_to(level);
  return {.r = precision_ * (step - step_sum / total),
          .gamma_0 = 0.5 * precision_ * (square(step) - square_sum / total)};
}

double LevelDecoder::mean_level(double r) const {
  const Window near = window(r);
  double total = 0, sum = 0;
  for_each_weight(near, [&](std::int64_t k, double weight) {
    total += weight;
    sum += weight * static_cast<double>(k - near.nearest);
  });
  return static_cast<double>(near.nearest) + sum / total;
}

std::int64_t LevelDecoder::draw(double r, double u) const {
  const Window near = window(r);
  double total = 0;
  for_each_weight(near, [&](std::int64_t, double weight) { total += weight; });
  double rest = u * total;
  for (std::int64_t k = near.begin; k < near.end; ++k) {
    rest -= det_exp(relative(near, k));
    if (rest <= 0) return k;
  }
  return near.nearest;
}

void LevelDecoder::weights(double r, std::span<double> each) const {
  const Window near = window(r);
  std::ranges::fill(each, 0.0);
  for_each_weight(near, [&](std::int64_t k, double weight) { each[at(k)] = weight; });
}

double real_nats(double gamma_0, double off) {
  return 0.5 * (log_two_pi + gamma_0 + det_exp(-gamma_0) * off * off);
}

double expected_real_nats(double gamma_0) { return 0.5 * (log_two_pi + gamma_0 + 1); }

namespace {

// ln(1 + e^x), with all digits where that is small.
double log_one_plus_exp(double x) {
  return (x > 0.0 ? x : 0.0) + det_log1p(det_exp(-std::fabs(x)));
}

}  // namespace

NoiseLevel Process::at(double gamma) const {
  NoiseLevel level{.gamma = gamma};
  const double preserved = det_sigmoid(-gamma);
  if (variance == Variance::preserving) {
    level.alpha2 = preserved;
    level.sigma2 = det_sigmoid(gamma);
    level.log_alpha2 = -log_one_plus_exp(gamma);
    level.log_sigma2 = -log_one_plus_exp(-gamma);
  } else {
    level.alpha2 = 1;
    level.sigma2 = det_exp(gamma);
    level.log_alpha2 = 0;
    level.log_sigma2 = gamma;
    level.to_network = std::sqrt(preserved);
  }
  level.alpha = std::sqrt(level.alpha2);
  level.sigma = std::sqrt(level.sigma2);
  return level;
}

double Process::prior_nats(double gamma_1, double x) {
  const NoiseLevel last = Process{}.at(gamma_1);
  // sigma^2 - 1 = -alpha^2
  return 0.5 * (last.alpha2 * (x * x - 1) - last.log_sigma2);
}

double Process::prior_deviation(double gamma_1) const {
  return variance == Variance::preserving ? 1.0 : std::sqrt(1.0 + det_exp(gamma_1));
}

Transition transition(const NoiseLevel& s, const NoiseLevel& t) {
  Transition step{.s = s, .t = t};
  step.c = -det_expm1(s.gamma - t.gamma);
  step.snr_loss = det_expm1(t.gamma - s.gamma);
  step.carry = t.alpha / s.alpha;
  const double root = std::sqrt(step.c);
  step.diffusion = t.sigma * root;
  step.deviation = s.sigma * root;
  return step;
}

}  // namespace logpx::vdm
