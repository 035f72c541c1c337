#include "libcore/data/strokes.hpp"

#include "libcore/base/error.hpp"
#include "libcore/det/functions.hpp"

#include <cmath>
#include <numbers>
#include <sstream>
#include <string>

namespace logpx {
namespace {

using std::numbers::pi;
constexpr int side_of_pose = 28;

// M start, L line to, C cubic Bezier (control, control, end); x right, y down.
constexpr std::array<const char*, 10> glyphs = {
    "M .50 .02 C .80 .02 .88 .28 .88 .50 C .88 .72 .80 .98 .50 .98 C .20 .98 .12 .72 .12 .50 "
    "C .12 .28 .20 .02 .50 .02",
    "M .36 .20 L .54 .03 L .54 .97",
    "M .15 .27 C .16 .00 .82 -.06 .82 .28 C .82 .52 .40 .68 .13 .97 L .87 .97",
    "M .17 .10 C .40 -.04 .80 .00 .79 .25 C .78 .42 .58 .47 .42 .47 C .62 .47 .86 .54 .85 .74 "
    "C .84 1.04 .35 1.05 .14 .88",
    "M .60 .03 C .45 .25 .28 .45 .10 .66 L .90 .66 M .68 .34 L .66 .98",
    "M .80 .04 L .27 .04 L .22 .44 C .45 .34 .84 .40 .84 .70 C .84 1.04 .34 1.06 .13 .86",
    "M .72 .05 C .42 .10 .16 .42 .16 .70 C .16 1.07 .82 1.07 .82 .70 C .82 .40 .30 .40 .17 .68",
    "M .13 .06 L .86 .06 C .66 .36 .48 .66 .40 .97",
    "M .50 .46 C .16 .38 .14 .03 .50 .03 C .86 .03 .84 .38 .50 .46 C .08 .56 .04 .97 .50 .97 "
    "C .96 .97 .92 .56 .50 .46",
    "M .80 .30 C .80 -.06 .18 -.08 .18 .28 C .18 .60 .76 .58 .80 .30 C .82 .55 .76 .80 .62 .97"};

Point point_between(Point a, Point b, double t) {
  return {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
}

Point bezier(const std::array<Point, 4>& p, double t) {
  const double s = 1 - t;
  const double w0 = s * s * s, w1 = 3 * s * s * t, w2 = 3 * s * t * t, w3 = t * t * t;
  return {w0 * p[0].x + w1 * p[1].x + w2 * p[2].x + w3 * p[3].x,
          w0 * p[0].y + w1 * p[1].y + w2 * p[2].y + w3 * p[3].y};
}

// Adds pieces of at most .06 of the box, so that bent strokes show no corners.
void add_piece(std::vector<Segment>& pieces, Point from, Point to) {
  const double dx = to.x - from.x, dy = to.y - from.y;
  const double parts_needed = std::sqrt(dx * dx + dy * dy) / 0.06;
  int parts = floor_int(parts_needed);
  if (parts < parts_needed) ++parts;
  for (int k = 0; k < parts; ++k)
    pieces.push_back({point_between(from, to, static_cast<double>(k) / parts),
                      point_between(from, to, static_cast<double>(k + 1) / parts)});
}

double parse_coordinate(const std::string& text) {
  double digits = 0, scale = 1;
  bool after_point = false;
  for (const char c : text) {
    if (c >= '0' && c <= '9') {
      digits = 10 * digits + (c - '0');
      if (after_point) scale *= 10;
    }
    after_point = after_point || c == '.';
  }
  return (text.front() == '-' ? -digits : digits) / scale;
}

std::vector<Segment> flatten(const std::string& path) {
  std::vector<Segment> pieces;
  std::istringstream words(path);
  const auto next_point = [&words] {
    std::string x, y;
    words >> x >> y;
    return Point{parse_coordinate(x), parse_coordinate(y)};
  };
  Point pen;
  for (std::string command; words >> command;) {
    if (command == "M") {
      pen = next_point();
    } else if (command == "L") {
      const Point end = next_point();
      add_piece(pieces, pen, end);
      pen = end;
    } else {
      std::array<Point, 4> curve{pen, next_point(), next_point(), next_point()};
      Point last = pen;
      for (int k = 1; k <= 12; ++k) {
        const Point here = bezier(curve, k / 12.0);
        add_piece(pieces, last, here);
        last = here;
      }
      pen = curve[3];
    }
  }
  return pieces;
}

const std::vector<Segment>& undeformed(int digit) {
  static const std::array<std::vector<Segment>, 10> all = [] {
    std::array<std::vector<Segment>, 10> flat;
    for (std::size_t d = 0; d < flat.size(); ++d) flat[d] = flatten(glyphs[d]);
    return flat;
  }();
  return all[static_cast<std::size_t>(digit)];
}

// p_c += sum_ab A[c][a][b] sin(pi((a+1) p_x + .25)) sin(pi((b+1) p_y + .25))
Point bend(Point p, const std::array<double, 8>& elastic) {
  std::array<double, 2> in_x{}, in_y{};
  for (std::size_t a = 0; a < 2; ++a) {
    in_x[a] = det_sincos(pi * (static_cast<double>(a + 1) * p.x + 0.25)).sin;
    in_y[a] = det_sincos(pi * (static_cast<double>(a + 1) * p.y + 0.25)).sin;
  }
  for (std::size_t a = 0; a < 2; ++a)
    for (std::size_t b = 0; b < 2; ++b) {
      p.x += elastic[2 * a + b] * in_x[a] * in_y[b];
      p.y += elastic[4 + 2 * a + b] * in_x[a] * in_y[b];
    }
  return p;
}

}  // namespace

DigitPose DigitPose::drawn(DrawCursor& draws) {
  DigitPose pose;
  pose.degrees = std::clamp(7 * draws.normal(), -18.0, 18.0);
  pose.slant = draws.uniform(-0.12, 0.38);
  pose.width = 18 * draws.uniform(0.62, 0.95);
  pose.height = 20 * draws.uniform(0.88, 1.05);
  pose.shift_x = draws.uniform(-1.5, 1.5);
  pose.shift_y = draws.uniform(-1.5, 1.5);
  pose.radius = draws.uniform(0.75, 1.7);
  pose.ink = draws.uniform(0.85, 1);
  constexpr std::array deviations = {0.035, 0.02, 0.02, 0.012};
  for (std::size_t k = 0; k < 8; ++k) pose.elastic[k] = deviations[k % 4] * draws.normal();
  return pose;
}

std::array<double, 16> DigitPose::values() const {
  std::array<double, 16> all = {degrees, slant, width, height, shift_x, shift_y, radius, ink};
  std::copy(elastic.begin(), elastic.end(), all.begin() + 8);
  return all;
}

std::vector<Segment> digit_segments(int digit, const DigitPose& pose, int side) {
  LOGPX_ASSERT(digit >= 0 && digit <= 9);
  const SinCos turn = det_sincos(pose.degrees * (pi / 180));
  const double scale = static_cast<double>(side) / side_of_pose;
  const double middle = side_of_pose / 2;
  const auto place = [&](Point p) {
    const Point bent = bend(p, pose.elastic);
    const double qx = bent.x - 0.5, qy = bent.y - 0.5;
    const double x = pose.width * qx - 0.9 * pose.slant * pose.height * qy;
    const double y = pose.height * qy;
    return Point{scale * (turn.cos * x - turn.sin * y + (middle + pose.shift_x)),
                 scale * (turn.sin * x + turn.cos * y + (middle + pose.shift_y))};
  };
  std::vector<Segment> placed;
  for (const Segment& piece : undeformed(digit)) {
    // Neighbouring pieces share an end, and its sines are costly.
    const bool joined = !placed.empty() && &piece != undeformed(digit).data() &&
                        (&piece - 1)->to.x == piece.from.x && (&piece - 1)->to.y == piece.from.y;
    placed.push_back({joined ? placed.back().to : place(piece.from), place(piece.to)});
  }
  return placed;
}

}  // namespace logpx
