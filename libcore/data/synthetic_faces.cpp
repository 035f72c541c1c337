// Generator 2, faces28: one face that moves slowly, frame by frame. Blocks of 64 frames start
// afresh, so any frame can be made alone from the few before it.   [data/README 4.4]
#include "libcore/base/number_text.hpp"
#include "libcore/data/canvas.hpp"
#include "libcore/data/generator.hpp"
#include "libcore/det/functions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace logpx {
namespace {

constexpr int face_height = 28, face_width = 20;
constexpr std::int64_t frames_per_block = 64;
using std::numbers::pi;

// Each in (-1, 1).
struct Expression {
  double turn, nod, open, smile, brow, blink, light, scale;
};

class Faces28 final : public Generator {
 public:
  explicit Faces28(const SyntheticOptions& options) : noise_(*options.noise) {
    info_ = discrete_info(Content::image, {face_height, face_width, 1}, 256);
    info_.latent_dim = 8;
    info_.intrinsic_dim = 8;
    info_.notes.emplace_back("noise_floor_bits_per_dim", to_text(noise_floor_bits(noise_)));
  }

  void make(ExampleDraws& draws, Example& example) const override {
    const std::array<double, 8> z = path(draws);
    std::array<double, 8> bounded;
    std::transform(z.begin(), z.end(), bounded.begin(), det_tanh);
    std::transform(bounded.begin(), bounded.end(), example.latent.begin(),
                   [](double value) { return static_cast<float>(value); });
    const Expression face{bounded[0], bounded[1], bounded[2], bounded[3],
                          bounded[4], bounded[5], bounded[6], bounded[7]};
    draw(face, example.bytes);
    add_noise(example.bytes, noise_, draws);
  }

 private:
  // z_t = .95 z_(t-1) + sqrt(1 - .95^2) normal, from the first frame of the block to this one.
  static std::array<double, 8> path(ExampleDraws& draws) {
    std::array<double, 8> z{};
    const double innovation = std::sqrt(1 - 0.95 * 0.95);
    const std::int64_t start = draws.index() / frames_per_block * frames_per_block;
    for (std::int64_t t = start; t <= draws.index(); ++t) {
      ExampleDraws earlier = draws.of(t);
      ExampleDraws& own = t == draws.index() ? draws : earlier;
      for (double& value : z) {
        const double normal = own.normal();
        value = t == start ? normal : 0.95 * value + innovation * normal;
      }
    }
    return z;
  }

  static void draw(const Expression& e, std::span<std::uint8_t> picture) {
    const double size = 1 + 0.08 * e.scale;
    const Point head{10 + 0.8 * e.turn, 14 + 0.8 * e.nod};
    // Eyes and mouth slide over the head, further than the head itself moves.
    const Point nose{head.x + 1.8 * size * e.turn, head.y + 1.4 * size * e.nod};
    const double eye_y = nose.y - 3.2 * size, eye_gap = 3.3 * size;
    const double brow_y = eye_y - (2.3 + 0.9 * e.brow) * size;
    const double eye_height = (1.15 - 0.85 * std::max(e.blink, 0.0)) * size;
    std::array<Segment, 2> brows;
    for (std::size_t k = 0; k < 2; ++k) {
      const double x = nose.x + (k == 0 ? -eye_gap : eye_gap);
      brows[k] = {{x - 1.5 * size, brow_y}, {x + 1.5 * size, brow_y}};
    }
    const std::vector<double> brow_ink = draw_strokes(brows, 0.45 * size, face_height, face_width);
    const SinCos sun = det_sincos(0.5 * pi * e.light);
    for (int i = 0; i < face_height; ++i)
      for (int j = 0; j < face_width; ++j) {
        const Point p{j + 0.5, i + 0.5};
        const auto at = static_cast<std::size_t>(i * face_width + j);
        double skin = 190;
        const auto paint = [&skin](double grey, double cover) { skin += cover * (grey - skin); };
        for (const double x : {nose.x - eye_gap, nose.x + eye_gap}) {
          const Point eye{x, eye_y};
          paint(235, coverage(ellipse_distance(p, eye, {1.7 * size, eye_height})));
          paint(40,
                coverage(ellipse_distance(p, eye, {0.8 * size, std::min(eye_height, 0.8 * size)})));
        }
        paint(60, brow_ink[at]);
        paint(70, coverage(mouth_distance(p, {nose.x, nose.y + 4.6 * size}, e, size)));
        const double lit =
            skin *
            (1 + 0.3 * (sun.sin * (p.x - head.x) - 0.4 * sun.cos * (p.y - head.y)) / (7.5 * size));
        const double inside = coverage(ellipse_distance(p, head, {7.4 * size, 11.2 * size}));
        picture[at] = to_byte(55 + inside * (lit - 55));
      }
  }

  // Between two parabolas over |x| < half a mouth; a smile lifts the corners of both.
  static double mouth_distance(Point p, Point centre, const Expression& e, double size) {
    const double half = (3.0 + 0.5 * e.smile) * size;
    const double u = (p.x - centre.x) / half;
    const double lift = 1.3 * e.smile * size * (u * u - 0.5);
    const double gap = (0.55 + 1.1 * std::max(e.open, -0.3)) * size * (1 - u * u);
    const double vertical = std::fabs(p.y - (centre.y - lift)) - gap;
    return std::max(vertical, std::fabs(p.x - centre.x) - half);
  }

  double noise_;
};

}  // namespace

std::unique_ptr<Generator> make_faces28(const SyntheticOptions& options, std::uint32_t) {
  return std::make_unique<Faces28>(options);
}

}  // namespace logpx
