#include "libcore/eval/inverse_samples.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/parallel.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

namespace logpx {
namespace {

// How many numbers one thread makes at a time, and at most how many samples.
constexpr std::int64_t numbers_per_block = std::int64_t{1} << 18, most_per_block = 4096;

}  // namespace

DensitySource::DensitySource(const IntervalDensity& density, const InversionOptions& options)
    : density_(density) {
  if (options.method == Inversion::exact) {
    exact_ = std::make_unique<PanelCdf>(density, options.quadrature);
    inverse_ = std::make_unique<InverseCdf>(*exact_);
  } else {
    inverse_ = std::make_unique<InverseCdf>(density, options);
  }
}

void DensitySource::map(std::span<const double> u, std::span<double> z) const {
  inverse_->quantiles(u, z);
}

double DensitySource::u_error(std::span<const double> u, std::span<const double> z) const {
  return largest_u_error(exact_ ? *exact_ : PanelCdf(density_), u, z);
}

InverseSampler::InverseSampler(const InverseSource& source, const UnitPoints& points,
                               Workers& workers)
    : source_(source), points_(points), workers_(workers) {
  LOGPX_ASSERT(source.uniforms() == points.dims());
}

std::int64_t InverseSampler::numbers_per_sample() const {
  const std::vector<std::int64_t> shape = source_.shape();
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

InverseSamples InverseSampler::draw(std::int64_t first, std::int64_t last) {
  const std::int64_t n = last - first, taken = source_.uniforms(), given = numbers_per_sample();
  LOGPX_ASSERT(n >= 0);
  u_.resize(at(n * taken));
  z_.resize(at(n * given));
  const std::int64_t each = std::clamp<std::int64_t>(numbers_per_block / given, 1, most_per_block);
  const std::int64_t blocks = (n + each - 1) / each;
  workers_.run(blocks, [&](std::int64_t block) {
    const std::int64_t begin = block * each;
    const std::int64_t count = std::min(each, n - begin);
    const auto u = std::span(u_).subspan(at(begin * taken), at(count * taken));
    points_.fill(first + begin, u);
    source_.map(u, std::span(z_).subspan(at(begin * given), at(count * given)));
  });
  return {first, last, u_, z_};
}

SpreadSamples::SpreadSamples(std::int64_t first, std::int64_t last, std::int64_t count)
    : first_(first), last_(last), count_(std::min(count, last - first)) {}

std::int64_t SpreadSamples::next() const { return first_ + kept_ * (last_ - first_) / count_; }

void SpreadSamples::keep(const InverseSamples& samples) {
  const std::size_t n = at(samples.last - samples.first);
  if (n == 0) return;
  const std::size_t taken = samples.u.size() / n, given = samples.z.size() / n;
  for (; kept_ < count_ && next() < samples.last; ++kept_) {
    const std::size_t row = at(next() - samples.first);
    const auto u = samples.u.subspan(row * taken, taken), z = samples.z.subspan(row * given, given);
    u_.insert(u_.end(), u.begin(), u.end());
    z_.insert(z_.end(), z.begin(), z.end());
  }
}

}  // namespace logpx
