#include "libcore/math/langevin.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/det/functions.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace logpx {
namespace {

double scale_of(std::span<const double> scales, std::size_t d) {
  return scales.empty() ? 1 : scales[d];
}

// The place in [low,high] that x is the mirror image of, and the sign of its way there.
struct Folded {
  double x, sign;
};
Folded folded(double x, double low, double high) {
  const double width = high - low;
  double y = std::fmod(x - low, 2 * width);
  if (y < 0) y += 2 * width;
  if (y > width) return {std::clamp(high - (y - width), low, high), -1};
  return {std::clamp(low + y, low, high), 1};
}

LangevinPoint point_of(const LangevinChains& chains, std::size_t c) {
  const std::size_t dims = at(chains.dims);
  return {std::span(chains.z).subspan(c * dims, dims),
          std::span(chains.gradient).subspan(c * dims, dims), chains.log_density[c]};
}

// Proposals of all chains, their density evaluated.
LangevinChains proposals(const LangevinChains& chains, const LangevinDensity& density,
                         const LangevinSteps& steps, const LangevinNoise& noise) {
  const std::size_t dims = at(chains.dims), count = at(chains.chains);
  LOGPX_ASSERT(steps.eta.size() == count && noise.numbers.size() == count);
  LangevinChains next = chains;
  std::vector<double> xi(dims);
  for (std::size_t c = 0; c < count; ++c) {
    for (std::size_t d = 0; d < dims; ++d)
      xi[d] = normal_at(noise.normals, noise.numbers[c] * dims + d);
    langevin_proposal(point_of(chains, c), steps.eta[c], steps.scales, xi,
                      std::span(next.z).subspan(c * dims, dims));
  }
  density(next.z, next.log_density, next.gradient);
  return next;
}

}  // namespace

void adopt_chain(const LangevinChains& from, LangevinChains& to, std::size_t chain) {
  const std::size_t dims = at(from.dims);
  to.log_density[chain] = from.log_density[chain];
  for (std::size_t e = chain * dims; e < (chain + 1) * dims; ++e) {
    to.z[e] = from.z[e];
    to.gradient[e] = from.gradient[e];
  }
}

LangevinChains start_langevin(std::vector<double> z, std::int64_t dims,
                              const LangevinDensity& density) {
  LangevinChains chains{.chains = std::ssize(z) / dims, .dims = dims, .z = std::move(z)};
  chains.log_density.resize(at(chains.chains));
  chains.gradient.resize(chains.z.size());
  density(chains.z, chains.log_density, chains.gradient);
  return chains;
}

LangevinNoise langevin_noise(Rng rng, std::uint32_t move, std::span<const std::uint64_t> numbers) {
  return {rng.stream(Stream::langevin, move), rng.stream(Stream::langevin_accept, move), numbers};
}

LangevinDensity mirrored(LangevinDensity density, Box box) {
  return [density = std::move(density), box = std::move(box)](
             std::span<const double> z, std::span<double> log_density, std::span<double> gradient) {
    std::vector<double> inside(z.size()), signs(z.size());
    for (std::size_t e = 0; e < z.size(); ++e) {
      const std::size_t d = e % box.low.size();
      const Folded place = folded(z[e], box.low[d], box.high[d]);
      inside[e] = place.x;
      signs[e] = place.sign;
    }
    density(inside, log_density, gradient);
    for (std::size_t e = 0; e < z.size(); ++e) gradient[e] *= signs[e];
  };
}

void fold(LangevinChains& chains, const Box& box) {
  for (std::size_t e = 0; e < chains.z.size(); ++e) {
    const std::size_t d = e % box.low.size();
    const Folded place = folded(chains.z[e], box.low[d], box.high[d]);
    chains.z[e] = place.x;
    chains.gradient[e] *= place.sign;
  }
}

void langevin_proposal(const LangevinPoint& from, double eta, std::span<const double> scales,
                       std::span<const double> xi, std::span<double> z) {
  const double spread = std::sqrt(2 * eta);
  for (std::size_t d = 0; d < z.size(); ++d) {
    const double scale = scale_of(scales, d);
    z[d] = from.z[d] + eta * scale * scale * from.gradient[d] + spread * scale * xi[d];
  }
}

double mala_log_ratio(const LangevinPoint& from, const LangevinPoint& to, double eta,
                      std::span<const double> scales) {
  double forth = 0, back = 0;
  for (std::size_t d = 0; d < from.z.size(); ++d) {
    const double scale = scale_of(scales, d), square = scale * scale;
    const double there = (to.z[d] - from.z[d] - eta * square * from.gradient[d]) / scale;
    const double here = (from.z[d] - to.z[d] - eta * square * to.gradient[d]) / scale;
    forth += there * there;
    back += here * here;
  }
  return to.log_density - from.log_density + (forth - back) / (4 * eta);
}

void ula_move(LangevinChains& chains, const LangevinDensity& density, const LangevinSteps& steps,
              const LangevinNoise& noise) {
  chains = proposals(chains, density, steps, noise);
}

LangevinOutcome mala_move(LangevinChains& chains, const LangevinDensity& density,
                          const LangevinSteps& steps, const LangevinNoise& noise) {
  const LangevinChains next = proposals(chains, density, steps, noise);
  LangevinOutcome outcome{.accept = std::vector<double>(at(chains.chains))};
  for (std::size_t c = 0; c < outcome.accept.size(); ++c) {
    const double log_ratio =
        mala_log_ratio(point_of(chains, c), point_of(next, c), steps.eta[c], steps.scales);
    if (!std::isfinite(log_ratio)) {
      ++outcome.non_finite;
      continue;
    }
    outcome.accept[c] = std::min(1.0, det_exp(log_ratio));
    if (noise.accept.uniform(4 * noise.numbers[c]) >= outcome.accept[c]) continue;
    ++outcome.accepted;
    adopt_chain(next, chains, c);
  }
  return outcome;
}

}  // namespace logpx
