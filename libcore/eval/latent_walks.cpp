#include "libcore/eval/latent_walks.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/math/special.hpp"

#include <algorithm>
#include <cmath>

namespace logpx {
namespace {

constexpr double least_sine = 1e-9;  // below it an arc becomes a line

void require_latent(std::int64_t latent, std::int64_t dims, const char* option) {
  if (latent < 0 || latent >= dims)
    fail(ErrorKind::usage, option,
         "there is no latent " + std::to_string(latent) + "; this model has latents 0 to " +
             std::to_string(dims - 1));
}

// i = 0 .. points-1 to 0 .. 1, both ends exact.
double share(std::int64_t i, std::int64_t points) {
  return static_cast<double>(i) / static_cast<double>(points - 1);
}

}  // namespace

std::int64_t LatentWalk::count() const { return std::ssize(z) / dims; }

std::vector<double> quantile_axis(std::int64_t nodes) {
  std::vector<double> axis;
  for (std::int64_t i = 0; i < nodes; ++i)
    axis.push_back(normal_quantile((static_cast<double>(i) + 0.5) / static_cast<double>(nodes)));
  return axis;
}

LatentWalk manifold(std::int64_t dims, std::int64_t nodes, LatentPlane plane) {
  require_latent(plane.right, dims, "--dims");
  require_latent(plane.up, dims, "--dims");
  if (plane.right == plane.up) fail(ErrorKind::usage, "--dims", "names one latent twice");
  const std::vector<double> axis = quantile_axis(nodes);
  LatentWalk walk{.dims = dims, .columns = nodes, .z = {}};
  walk.z.assign(at(nodes * nodes * dims), 0);
  for (std::int64_t r = 0; r < nodes; ++r)
    for (std::int64_t c = 0; c < nodes; ++c) {
      float* const z = walk.z.data() + (r * nodes + c) * dims;
      z[plane.right] = static_cast<float>(axis[at(c)]);
      z[plane.up] = static_cast<float>(axis[at(nodes - 1 - r)]);
    }
  return walk;
}

LatentWalk traversal(std::int64_t dims, std::span<const std::int64_t> axes, Stretch stretch,
                     std::int64_t points) {
  LatentWalk walk{.dims = dims, .columns = points, .z = {}};
  walk.z.assign(at(std::ssize(axes) * points * dims), 0);
  for (std::size_t row = 0; row < axes.size(); ++row) {
    require_latent(axes[row], dims, "--traverse");
    for (std::int64_t i = 0; i < points; ++i) {
      const double t = share(i, points);
      walk.z[(row * at(points) + at(i)) * at(dims) + at(axes[row])] =
          static_cast<float>((1 - t) * stretch.low + t * stretch.high);
    }
  }
  return walk;
}

std::vector<double> between(std::span<const double> a, std::span<const double> b, double t,
                            Path path) {
  double weight_a = 1 - t, weight_b = t;
  if (path == Path::arc) {
    double aa = 0, bb = 0, ab = 0;
    for (std::size_t d = 0; d < a.size(); ++d) {
      aa += a[d] * a[d];
      bb += b[d] * b[d];
      ab += a[d] * b[d];
    }
    const double lengths = std::sqrt(aa * bb);
    const double angle = lengths > 0 ? std::acos(std::clamp(ab / lengths, -1.0, 1.0)) : 0;
    if (const double sine = std::sin(angle); sine > least_sine) {
      weight_a = std::sin((1 - t) * angle) / sine;
      weight_b = std::sin(t * angle) / sine;
    }
  }
  std::vector<double> point;
  for (std::size_t d = 0; d < a.size(); ++d) point.push_back(weight_a * a[d] + weight_b * b[d]);
  return point;
}

LatentWalk interpolation(std::span<const float> a, std::span<const float> b, std::int64_t points,
                         Path path) {
  const std::vector<double> from(a.begin(), a.end()), to(b.begin(), b.end());
  LatentWalk walk{.dims = std::ssize(a), .columns = points, .z = {}};
  for (std::int64_t i = 0; i < points; ++i)
    for (const double value : between(from, to, share(i, points), path))
      walk.z.push_back(static_cast<float>(value));
  return walk;
}

}  // namespace logpx
