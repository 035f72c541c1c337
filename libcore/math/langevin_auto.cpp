// The step size search of autoMALA, for all chains in step: each goes on until its own is found.
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/det/functions.hpp"
#include "libcore/math/langevin.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace logpx {

namespace {

double half_square(std::span<const double> y) {
  double sum = 0;
  for (const double value : y) sum += value * value;
  return sum / 2;
}

// Momenta are those of dimensions scaled to mass 1.
struct LeapEnd {
  LangevinChains chains;
  std::vector<double> momentum, log_ratio;
};

LeapEnd one_leapfrog(const LangevinChains& from, std::span<const double> momentum,
                     const LangevinDensity& density, std::span<const double> etas,
                     std::span<const double> scales) {
  const std::size_t dims = at(from.dims);
  const auto scale = [&](std::size_t e) { return scales.empty() ? 1 : scales[e % dims]; };
  LeapEnd end{from, {momentum.begin(), momentum.end()}, std::vector<double>(etas.size())};
  std::vector<double>& y = end.momentum;
  for (std::size_t e = 0; e < y.size(); ++e) {
    y[e] += etas[e / dims] / 2 * scale(e) * from.gradient[e];
    end.chains.z[e] += etas[e / dims] * scale(e) * y[e];
  }
  density(end.chains.z, end.chains.log_density, end.chains.gradient);
  for (std::size_t e = 0; e < y.size(); ++e)
    y[e] += etas[e / dims] / 2 * scale(e) * end.chains.gradient[e];
  for (std::size_t c = 0; c < etas.size(); ++c) {
    const double change =
        (end.chains.log_density[c] - half_square(std::span(y).subspan(c * dims, dims))) -
        (from.log_density[c] - half_square(momentum.subspan(c * dims, dims)));
    end.log_ratio[c] = std::isfinite(change) ? change : -std::numeric_limits<double>::infinity();
  }
  return end;
}

}  // namespace

AutoLeap auto_leap(const LangevinChains& from, std::span<const double> momentum,
                   const LangevinDensity& density, const AutoStep& step, const AutoBounds& bounds) {
  const std::size_t count = at(from.chains);
  std::vector<int> exponent(count), direction(count);
  const auto eta_of = [&](int j) { return std::ldexp(step.eta, j); };
  const auto leap = [&] {
    std::vector<double> etas(count);
    for (std::size_t c = 0; c < count; ++c) etas[c] = eta_of(exponent[c]);
    return one_leapfrog(from, momentum, density, etas, step.scales);
  };
  LeapEnd end = leap();
  for (std::size_t c = 0; c < count; ++c)
    direction[c] = static_cast<int>(end.log_ratio[c] >= bounds.log_b[c]) -
                   static_cast<int>(end.log_ratio[c] <= bounds.log_a[c]);
  for (;;) {
    bool any = false;
    for (std::size_t c = 0; c < count; ++c) {
      const double next = eta_of(exponent[c] + direction[c]);
      if (next > step.most || next < step.least) direction[c] = 0;  // as far as it goes
      exponent[c] += direction[c];
      any = any || direction[c] != 0;
    }
    if (!any) break;
    end = leap();
    for (std::size_t c = 0; c < count; ++c) {
      if (direction[c] > 0 && end.log_ratio[c] < bounds.log_b[c]) {
        --exponent[c];
        direction[c] = 0;
      }
      if (direction[c] < 0 && end.log_ratio[c] > bounds.log_a[c]) direction[c] = 0;
    }
  }
  end = leap();
  for (double& value : end.momentum) value = -value;
  return {std::move(end.chains), std::move(end.momentum), std::move(exponent),
          std::move(end.log_ratio)};
}

AutoOutcome auto_mala_move(LangevinChains& chains, const LangevinDensity& density,
                           const AutoMove& move, const LangevinNoise& noise) {
  const std::size_t count = at(chains.chains), dims = at(chains.dims);
  LOGPX_ASSERT(noise.numbers.size() == count);
  std::vector<double> momentum(count * dims), log_a(count), log_b(count);
  for (std::size_t c = 0; c < count; ++c) {
    for (std::size_t d = 0; d < dims; ++d)
      momentum[c * dims + d] = normal_at(noise.normals, noise.numbers[c] * dims + d);
    const double u = noise.accept.uniform(4 * noise.numbers[c] + 1);
    const double v = noise.accept.uniform(4 * noise.numbers[c] + 2);
    log_a[c] = det_log(std::min(u, v));
    log_b[c] = det_log(std::max(u, v));
  }
  const AutoBounds bounds{log_a, log_b};
  const AutoLeap there = auto_leap(chains, momentum, density, move.step, bounds);
  const bool corrected = move.correction == Correction::metropolis;
  std::vector<int> reverse;
  if (corrected)
    reverse = auto_leap(there.end, there.momentum, density, move.step, bounds).exponent;

  AutoOutcome outcome{.moves = {.accept = std::vector<double>(count)}, .mean_eta = move.step.eta};
  double etas = 0;
  for (std::size_t c = 0; c < count; ++c) {
    if (!std::isfinite(there.log_ratio[c])) {
      ++outcome.moves.non_finite;
      continue;
    }
    const bool reversible = !corrected || reverse[c] == there.exponent[c];
    double& accept = outcome.moves.accept[c];
    if (reversible) accept = corrected ? std::min(1.0, det_exp(there.log_ratio[c])) : 1;
    if (noise.accept.uniform(4 * noise.numbers[c]) >= accept) continue;
    ++outcome.moves.accepted;
    etas += std::ldexp(move.step.eta, there.exponent[c]);
    adopt_chain(there.end, chains, c);
  }
  if (outcome.moves.accepted > 0)
    outcome.mean_eta = etas / static_cast<double>(outcome.moves.accepted);
  return outcome;
}

}  // namespace logpx
