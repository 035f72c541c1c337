// Antialiased drawing for the built-in pictures, in + - * / sqrt only, so that every machine draws
// the same. Positions are in pixels; the centre of pixel (row i, column j) is (j + .5, i + .5).
#pragma once

#include "libcore/det/draws.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace logpx {

struct Point {
  double x = 0, y = 0;
};
struct Segment {
  Point from, to;
};

// The largest integer not above v, for |v| < 2^31.
[[nodiscard]] inline int floor_int(double v) {
  const int truncated = static_cast<int>(v);
  return truncated - (v < truncated ? 1 : 0);
}
[[nodiscard]] inline int round_int(double v) { return floor_int(v + 0.5); }
[[nodiscard]] inline std::uint8_t to_byte(double v) {
  return static_cast<std::uint8_t>(std::clamp(round_int(std::clamp(v, -1.0, 256.0)), 0, 255));
}

// How much of a pixel lies inside a region whose border is `distance` away (negative: inside).
[[nodiscard]] inline double coverage(double distance) {
  return std::clamp(0.5 - distance, 0.0, 1.0);
}

// Coverage of strokes by a round pen: clamp(radius + .5 - distance to the nearest segment, 0, 1)
// for each pixel of a height x width picture.
[[nodiscard]] std::vector<double> draw_strokes(std::span<const Segment> segments, double radius,
                                               int height, int width);

// Signed distance to an axis-parallel ellipse, to first order in the distance.
[[nodiscard]] double ellipse_distance(Point p, Point centre, Point radii);
[[nodiscard]] double disc_distance(Point p, Point centre, double radius);
[[nodiscard]] double rectangle_distance(Point p, Point centre, Point half_sides);
// Equilateral, one corner up, inscribed in a circle.
[[nodiscard]] double triangle_distance(Point p, Point centre, double radius);

// A square grey picture made smaller by exact area averaging in integers, halves rounded up.
[[nodiscard]] std::vector<std::uint8_t> area_average(std::span<const std::uint8_t> picture,
                                                     int side, int smaller);

// Adds round(sigma * normal) to every value and clips to 0..255; draws nothing if sigma is 0.
void add_noise(std::span<std::uint8_t> picture, double sigma, DrawCursor& draws);

// Entropy of round(sigma * normal) in bits: what no model of the noisy picture can save.
[[nodiscard]] double noise_floor_bits(double sigma);

}  // namespace logpx
