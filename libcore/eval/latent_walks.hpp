// Points of latent space that are worth looking at: grids of quantiles, lines between two points,
// axes. Ordered by the rows of a picture, `columns` points to a row.   [eval/README 7]
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace logpx {

struct LatentWalk {
  std::int64_t dims = 0, columns = 0;
  std::vector<float> z;  // [count, dims]
  [[nodiscard]] std::int64_t count() const;
};

// Phi^-1((i + 1/2) / nodes): equal shares of N(0, 1) around every node.
[[nodiscard]] std::vector<double> quantile_axis(std::int64_t nodes);

// Two latents on a square of nodes^2 quantiles, the others 0: the first grows to the right, the
// second upwards.   [AEVB appendix A]
struct LatentPlane {
  std::int64_t right = 0, up = 1;
};
[[nodiscard]] LatentWalk manifold(std::int64_t dims, std::int64_t nodes, LatentPlane plane);

// One row per axis: that latent from low to high in equal steps, the others 0.
struct Stretch {
  double low = -3, high = 3;
};
[[nodiscard]] LatentWalk traversal(std::int64_t dims, std::span<const std::int64_t> axes,
                                   Stretch stretch, std::int64_t points);

// line: (1-t) a + t b.
// arc:  sin((1-t) w)/sin(w) a + sin(t w)/sin(w) b, w the angle between a and b [Shoemake 1985]: it
// keeps the length where that of a and b is one; a line where the two are parallel or one is 0.
enum class Path { line, arc };
[[nodiscard]] std::vector<double> between(std::span<const double> a, std::span<const double> b,
                                          double t, Path path);
// t = 0 .. 1 in equal steps.
[[nodiscard]] LatentWalk interpolation(std::span<const float> a, std::span<const float> b,
                                       std::int64_t points, Path path);

}  // namespace logpx
