#include "libcore/data/canvas.hpp"

#include "libcore/base/error.hpp"
#include "libcore/det/functions.hpp"

#include <cmath>
#include <numbers>

namespace logpx {
namespace {

constexpr double half_sqrt3 = 0x1.bb67ae8584caap-1;
using std::numbers::ln2;

double squared_distance(Point p, const Segment& s) {
  const double dx = s.to.x - s.from.x, dy = s.to.y - s.from.y;
  const double px = p.x - s.from.x, py = p.y - s.from.y;
  const double length2 = dx * dx + dy * dy;
  const double t = length2 > 0 ? std::clamp((px * dx + py * dy) / length2, 0.0, 1.0) : 0.0;
  const double ex = px - t * dx, ey = py - t * dy;
  return ex * ex + ey * ey;
}

}  // namespace

std::vector<double> draw_strokes(std::span<const Segment> segments, double radius, int height,
                                 int width) {
  // Pixels further than `reach` get nothing, so each segment visits its surroundings only.
  const double reach = radius + 0.5;
  std::vector<double> nearest2(static_cast<std::size_t>(height * width), reach * reach);
  for (const Segment& s : segments) {
    const int left = std::max(floor_int(std::min(s.from.x, s.to.x) - reach - 0.5), 0);
    const int right = std::min(floor_int(std::max(s.from.x, s.to.x) + reach + 0.5), width - 1);
    const int top = std::max(floor_int(std::min(s.from.y, s.to.y) - reach - 0.5), 0);
    const int bottom = std::min(floor_int(std::max(s.from.y, s.to.y) + reach + 0.5), height - 1);
    for (int i = top; i <= bottom; ++i)
      for (int j = left; j <= right; ++j) {
        double& least = nearest2[static_cast<std::size_t>(i * width + j)];
        least = std::min(least, squared_distance({j + 0.5, i + 0.5}, s));
      }
  }
  for (double& value : nearest2) value = std::clamp(reach - std::sqrt(value), 0.0, 1.0);
  return nearest2;
}

double ellipse_distance(Point p, Point centre, Point radii) {
  const double u = (p.x - centre.x) / radii.x, v = (p.y - centre.y) / radii.y;
  const double f = std::sqrt(u * u + v * v);
  const double gu = u / radii.x, gv = v / radii.y;
  const double slope = std::sqrt(gu * gu + gv * gv);
  if (!(slope > 0)) return -std::min(radii.x, radii.y);
  return f * (f - 1) / slope;
}

double disc_distance(Point p, Point centre, double radius) {
  const double dx = p.x - centre.x, dy = p.y - centre.y;
  return std::sqrt(dx * dx + dy * dy) - radius;
}

double rectangle_distance(Point p, Point centre, Point half_sides) {
  return std::max(std::fabs(p.x - centre.x) - half_sides.x,
                  std::fabs(p.y - centre.y) - half_sides.y);
}

double triangle_distance(Point p, Point centre, double radius) {
  const double x = p.x - centre.x, y = p.y - centre.y;  // y points down
  const double bottom = y;
  const double left = -half_sqrt3 * x - 0.5 * y, right = half_sqrt3 * x - 0.5 * y;
  return std::max({bottom, left, right}) - 0.5 * radius;
}

std::vector<std::uint8_t> area_average(std::span<const std::uint8_t> picture, int side,
                                       int smaller) {
  LOGPX_ASSERT(smaller >= 1 && smaller <= side);
  LOGPX_ASSERT(picture.size() == static_cast<std::size_t>(side * side));
  // In units of 1/smaller of a source pixel, target k covers [k side, (k+1) side) and source pixel
  // s covers [s smaller, (s+1) smaller).
  const auto overlap = [&](int k, int s) {
    return std::max(0,
                    std::min((k + 1) * side, (s + 1) * smaller) - std::max(k * side, s * smaller));
  };
  std::vector<std::uint8_t> result;
  result.reserve(static_cast<std::size_t>(smaller * smaller));
  const int area = side * side;
  for (int i = 0; i < smaller; ++i)
    for (int j = 0; j < smaller; ++j) {
      int sum = 0;
      for (int a = i * side / smaller; a < side && overlap(i, a) > 0; ++a)
        for (int b = j * side / smaller; b < side && overlap(j, b) > 0; ++b)
          sum += overlap(i, a) * overlap(j, b) * picture[static_cast<std::size_t>(a * side + b)];
      result.push_back(static_cast<std::uint8_t>((2 * sum + area) / (2 * area)));
    }
  return result;
}

void add_noise(std::span<std::uint8_t> picture, double sigma, DrawCursor& draws) {
  if (sigma == 0) return;
  for (std::uint8_t& value : picture)
    value = static_cast<std::uint8_t>(
        std::clamp(int{value} + round_int(sigma * draws.normal()), 0, 255));
}

double noise_floor_bits(double sigma) {
  if (sigma == 0) return 0;
  double nats = 0;
  const int reach = round_int(10 * sigma) + 1;
  for (int k = -reach; k <= reach; ++k) {
    // By symmetry in the lower tail, where differences lose no digits.
    const double upper = (0.5 - std::fabs(k)) / sigma, lower = upper - 1 / sigma;
    const double p = det_ndtr(upper) - det_ndtr(lower);
    if (p > 0) nats -= p * det_log(p);
  }
  return nats / ln2;
}

}  // namespace logpx
