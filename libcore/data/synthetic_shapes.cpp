// Generator 7, shapes2d: points in the plane whose density is exact or a stated quadrature.
//
// All shapes but the checkerboard are a point of some figure plus isotropic normal noise. The
// figure is either a few centres or curves; a curve is replaced by the nodes of a composite
// five-point Gauss-Legendre rule with panels no longer than sigma (relative error below 1e-8), so
// that every density is a finite mixture of normals.
#include "libcore/base/error.hpp"
#include "libcore/base/spelling.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/spelling.hpp"
#include "libcore/data/canvas.hpp"
#include "libcore/data/generator.hpp"
#include "libcore/data/real_vectors.hpp"
#include "libcore/det/functions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

namespace logpx {
namespace {

using std::numbers::ln2;
using std::numbers::pi;
constexpr double unbounded = std::numeric_limits<double>::infinity();
constexpr int cells_of_side = 256;  // a side of [-4,4]^2 with --bits 8
constexpr double cell_side = 8.0 / cells_of_side;
constexpr double far_away = 9;  // standard deviations beyond which a normal counts as 0

struct WeightedPoint {
  Point centre;
  double weight;
};

// The points that noise is added to: `arms` curves of one parameter, or centres (begin = end).
struct Figure {
  const char* name;
  double default_sigma;
  std::uint32_t arms;
  double begin, end;  // of the parameter; equal for centres
  Point (*at)(std::uint32_t arm, double t);
  double (*density)(double t);
  double (*draw)(DrawCursor& draws);
};

Point polar(double radius, double angle) {
  const SinCos direction = det_sincos(angle);
  return {radius * direction.cos, radius * direction.sin};
}

Point ring8_at(std::uint32_t arm, double) { return polar(2, pi / 4 * arm); }
Point grid25_at(std::uint32_t arm, double) {
  return {2.0 * (static_cast<int>(arm % 5) - 2), 2.0 * (static_cast<int>(arm / 5) - 2)};
}
Point moon_at(std::uint32_t arm, double t) {
  const Point p = polar(1, pi * t);
  const Point q = arm == 0 ? p : Point{1 - p.x, 0.5 - p.y};
  return {1.6 * (q.x - 0.5), 1.6 * (q.y - 0.25)};
}
Point pinwheel_at(std::uint32_t arm, double t) {
  const double radius = 1.6 + 0.5 * t;
  return polar(radius, 2 * pi / 5 * arm + 0.9 * radius);
}
Point spiral_at(std::uint32_t arm, double t) { return polar(3.2 * t, 3 * pi * t + pi * arm); }

double even_density(double) { return 1; }
double rising_density(double t) { return 2 * t; }
double normal_density(double t) { return det_exp(-0.5 * t * t) / std::sqrt(2 * pi); }
double draw_nothing(DrawCursor&) { return 0; }
double draw_even(DrawCursor& draws) { return draws.uniform(); }
double draw_rising(DrawCursor& draws) { return std::sqrt(draws.uniform()); }
double draw_normal(DrawCursor& draws) { return draws.normal(); }

constexpr std::array figures = {
    Figure{"ring8", 0.2, 8, 0, 0, ring8_at, even_density, draw_nothing},
    Figure{"grid25", 0.15, 25, 0, 0, grid25_at, even_density, draw_nothing},
    Figure{"two-moons", 0.1, 2, 0, 1, moon_at, even_density, draw_even},
    Figure{"pinwheel", 0.1, 5, -8, 8, pinwheel_at, normal_density, draw_normal},
    Figure{"spiral", 0.1, 2, 0, 1, spiral_at, rising_density, draw_rising}};

std::vector<WeightedPoint> nodes_of(const Figure& figure, double sigma) {
  std::vector<WeightedPoint> nodes;
  for (std::uint32_t arm = 0; arm < figure.arms; ++arm) {
    if (figure.begin == figure.end) {
      nodes.push_back({figure.at(arm, 0), 1});
      continue;
    }
    double fastest = 0;  // over 1024 small steps
    const double range = figure.end - figure.begin, step = range / 1024;
    for (int k = 0; k < 1024; ++k) {
      const Point a = figure.at(arm, figure.begin + k * step);
      const Point b = figure.at(arm, figure.begin + (k + 1) * step);
      fastest = std::max(fastest, disc_distance(a, b, 0) / step);
    }
    const int panels = std::max(64, floor_int(range * fastest / sigma) + 1);
    const double inner = std::sqrt(5 - 2 * std::sqrt(10.0 / 7)) / 3;
    const double outer = std::sqrt(5 + 2 * std::sqrt(10.0 / 7)) / 3;
    const double inner_weight = (322 + 13 * std::sqrt(70.0)) / 1800;
    const double outer_weight = (322 - 13 * std::sqrt(70.0)) / 1800;
    const std::array rule = {std::array{-outer, outer_weight}, std::array{-inner, inner_weight},
                             std::array{0.0, 64.0 / 225}, std::array{inner, inner_weight},
                             std::array{outer, outer_weight}};
    for (int panel = 0; panel < panels; ++panel)
      for (const auto& [place, weight] : rule) {
        const double t = figure.begin + range * (panel + 0.5 + 0.5 * place) / panels;
        nodes.push_back({figure.at(arm, t), weight * figure.density(t)});
      }
  }
  double total = 0;
  for (const WeightedPoint& node : nodes) total += node.weight;
  for (WeightedPoint& node : nodes) node.weight /= total;
  return nodes;
}

// -integral p ln p by the trapezoidal rule with step sigma/4 over all that lies within `far_away`.
double quadrature_entropy(std::span<const WeightedPoint> nodes, double sigma) {
  Point low{unbounded, unbounded}, high{-unbounded, -unbounded};
  for (const WeightedPoint& node : nodes) {
    low = {std::min(low.x, node.centre.x), std::min(low.y, node.centre.y)};
    high = {std::max(high.x, node.centre.x), std::max(high.y, node.centre.y)};
  }
  const double step = sigma / 4;
  const int reach = static_cast<int>(4 * far_away);
  const int columns = floor_int((high.x - low.x) / step) + 2 * reach + 2;
  const int rows = floor_int((high.y - low.y) / step) + 2 * reach + 2;
  std::vector<double> density(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows));
  std::vector<double> along_x(static_cast<std::size_t>(2 * reach + 1));
  for (const WeightedPoint& node : nodes) {
    // In steps from the corner of the grid, which lies `reach` steps outside of all nodes.
    const double u = (node.centre.x - low.x) / step + reach,
                 v = (node.centre.y - low.y) / step + reach;
    const int first_column = floor_int(u) - reach, first_row = floor_int(v) - reach;
    for (int k = 0; k <= 2 * reach; ++k) {
      const double z = (first_column + k - u) / 4;
      along_x[static_cast<std::size_t>(k)] = det_exp(-0.5 * z * z);
    }
    for (int k = 0; k <= 2 * reach; ++k) {
      const double z = (first_row + k - v) / 4;
      const double scale = node.weight / (2 * pi * sigma * sigma) * det_exp(-0.5 * z * z);
      double* row =
          &density[static_cast<std::size_t>(first_row + k) * static_cast<std::size_t>(columns) +
                   static_cast<std::size_t>(first_column)];
      for (std::size_t c = 0; c < along_x.size(); ++c) row[c] += scale * along_x[c];
    }
  }
  double sum = 0;
  for (const double p : density)
    if (p > 0) sum -= p * det_log(p);
  return sum * step * step;
}

// Mass of a standard normal between two points, taken in the lower tail where no digits are lost.
double normal_mass(double from, double to) {
  return from > 0 ? det_ndtr(-from) - det_ndtr(-to) : det_ndtr(to) - det_ndtr(from);
}

// Masses of one axis of the cells; the first and last take what lies outside.
std::array<double, cells_of_side> axis_masses(double centre, double sigma) {
  std::array<double, cells_of_side> masses{};
  for (int k = 0; k < cells_of_side; ++k) {
    const double from = k == 0 ? -40 : (k * cell_side - 4 - centre) / sigma;
    const double to = k == cells_of_side - 1 ? 40 : ((k + 1) * cell_side - 4 - centre) / sigma;
    if (to > -38 && from < 38) masses[static_cast<std::size_t>(k)] = normal_mass(from, to);
  }
  return masses;
}

std::uint8_t cell_of(double x) {
  return static_cast<std::uint8_t>(
      std::clamp(floor_int(std::clamp((x + 4) / cell_side, -1.0, 256.0)), 0, cells_of_side - 1));
}

// Common to all shapes: a point is stored as two floats or as two bytes.
class ShapeGenerator : public Generator {
 protected:
  ShapeGenerator(const SyntheticOptions& options) : quantised_(options.bits.has_value()) {
    info_ = quantised_ ? discrete_info(Content::symbols, {2}, cells_of_side) : real_vectors(2);
    info_.name = *options.shape;
    info_.has_labels = info_.has_true_logp = true;
  }

  void store(Point p, Example& example) const {
    if (quantised_) {
      example.bytes[0] = cell_of(p.x);
      example.bytes[1] = cell_of(p.y);
    } else {
      example.reals[0] = static_cast<float>(p.x);
      example.reals[1] = static_cast<float>(p.y);
    }
  }

  bool quantised_;
};

class NoisyFigure final : public ShapeGenerator {
 public:
  NoisyFigure(const Figure& figure, const SyntheticOptions& options)
      : ShapeGenerator(options),
        figure_(figure),
        sigma_(options.sigma.value_or(figure.default_sigma)),
        nodes_(nodes_of(figure, sigma_)) {
    if (quantised_) fill_cells();
    else info_.entropy_nats = quadrature_entropy(nodes_, sigma_);
  }

  void make(ExampleDraws& draws, Example& example) const override {
    const std::uint32_t arm = draws.below(figure_.arms);
    const Point centre = figure_.at(arm, figure_.draw(draws));
    const double x = centre.x + sigma_ * draws.normal();
    store({x, centre.y + sigma_ * draws.normal()}, example);
    example.label = static_cast<std::int32_t>(arm);
  }

  [[nodiscard]] double log_p(const Example& example) const override {
    if (quantised_)
      return log_cells_[example.bytes[1] * std::size_t{cells_of_side} + example.bytes[0]];
    const Point p{example.reals[0], example.reals[1]};
    const auto squared = [&](const WeightedPoint& node) {
      const double dx = p.x - node.centre.x, dy = p.y - node.centre.y;
      return (dx * dx + dy * dy) / (sigma_ * sigma_);
    };
    double least = unbounded, sum = 0;
    for (const WeightedPoint& node : nodes_) least = std::min(least, squared(node));
    for (const WeightedPoint& node : nodes_) {
      const double excess = squared(node) - least;
      if (excess < far_away * far_away) sum += node.weight * det_exp(-0.5 * excess);
    }
    return det_log(sum) - 0.5 * least - det_log(2 * pi * sigma_ * sigma_);
  }

 private:
  void fill_cells() {
    std::vector<double> mass(std::size_t{cells_of_side} * cells_of_side);
    for (const WeightedPoint& node : nodes_) {
      const auto along_x = axis_masses(node.centre.x, sigma_);
      const auto along_y = axis_masses(node.centre.y, sigma_);
      for (std::size_t i = 0; i < cells_of_side; ++i) {
        const double scale = node.weight * along_y[i];
        if (scale == 0) continue;
        for (std::size_t j = 0; j < cells_of_side; ++j)
          mass[i * cells_of_side + j] += scale * along_x[j];
      }
    }
    double entropy = 0;
    log_cells_.reserve(mass.size());
    for (const double p : mass) {
      log_cells_.push_back(p > 0 ? det_log(p) : -unbounded);
      if (p > 0) entropy -= p * log_cells_.back();
    }
    info_.entropy_nats = entropy;
  }

  const Figure& figure_;
  double sigma_;
  std::vector<WeightedPoint> nodes_;
  std::vector<double> log_cells_;  // [y, x]
};

// Uniform on 8 of the 16 unit squares of [-2,2]^2.
class Checkerboard final : public ShapeGenerator {
 public:
  explicit Checkerboard(const SyntheticOptions& options) : ShapeGenerator(options) {
    if (options.sigma)
      fail(ErrorKind::usage, "", "--sigma is not an option of shapes2d checkerboard");
    log_inside_ = -3 * ln2;
    if (quantised_) log_inside_ -= 10 * ln2;  // a unit square has 32 x 32 cells
    info_.entropy_nats = -log_inside_;
    if (!quantised_) {
      info_.value_min = -2;
      info_.value_max = 2;
    }
  }

  void make(ExampleDraws& draws, Example& example) const override {
    const std::uint32_t square = draws.below(8);
    const std::uint32_t row = square / 2, column = 2 * (square % 2) + row % 2;
    const double x = column + inside(draws) - 2;
    store({x, row + inside(draws) - 2}, example);
    example.label = static_cast<std::int32_t>(square);
  }

  [[nodiscard]] double log_p(const Example& example) const override {
    const bool bytes = quantised_;
    const double x = bytes ? (example.bytes[0] + 0.5) * cell_side - 4 : example.reals[0];
    const double y = bytes ? (example.bytes[1] + 0.5) * cell_side - 4 : example.reals[1];
    if (std::fabs(x) > 2 || std::fabs(y) > 2) return -unbounded;
    const bool dark = (std::min(floor_int(x), 1) + std::min(floor_int(y), 1)) % 2 == 0;
    return dark ? log_inside_ : -unbounded;
  }

 private:
  // 20 bits, so that a float holds it and no point is rounded into the next square.
  static double inside(DrawCursor& draws) { return (draws.below(1u << 20) + 0.5) * 0x1p-20; }

  double log_inside_;
};

}  // namespace

std::unique_ptr<Generator> make_shapes2d(const SyntheticOptions& options, std::uint32_t) {
  if (*options.shape == "checkerboard") return std::make_unique<Checkerboard>(options);
  std::vector<std::string> names = {"checkerboard"};
  for (const Figure& figure : figures) {
    if (*options.shape == figure.name) return std::make_unique<NoisyFigure>(figure, options);
    names.emplace_back(figure.name);
  }
  fail(ErrorKind::usage, "SHAPE",
       "'" + *options.shape + "' is not one of " + join_text(names, ", ") +
           did_you_mean(*options.shape, names));
}

}  // namespace logpx
