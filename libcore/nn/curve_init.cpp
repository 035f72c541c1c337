#include "libcore/nn/curve_init.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/math/blas.hpp"
#include "libcore/math/curve_grid.hpp"
#include "libcore/math/least_squares.hpp"

#include <algorithm>
#include <cmath>

namespace logpx {
namespace {

double deviation_of(const Fans& fans) {
  return std::sqrt(2 / static_cast<double>(fans.in + fans.out));
}

// A uniform for element e that shares no word with the normals of the tensor.
double uniform_beside(const Substream& stream, std::size_t e, std::size_t normals) {
  return stream.uniform((normals + 3) / 4 * 4 + e);
}

// The matrix [K,G+1] from values at the even points of the domain to weights.
std::vector<double> fit_of(const CurveStart& start) {
  const std::int64_t columns = basis_size(start.form), points = start.form.intervals + 1;
  const std::vector<double> x = uniform_grid(start.low, start.high, start.form.intervals);
  const std::vector<double> grid = grid_of(start.form, x);
  std::vector<double> basis(at(points * columns)), identity(at(points * points));
  basis_values<double>(start.form, {grid, x[1] - x[0], start.tau}, x, {.values = basis});
  for (std::int64_t j = 0; j < points; ++j) identity[at(j * points + j)] = 1;
  return solve({.rows = points,
                .columns = columns,
                .sides = points,
                .ridge = relative_ridge(basis, columns, refit_ridge)},
               basis, identity);
}

void fit_noise(const CurveStart& start, std::span<float> coef, const Substream& stream) {
  const std::int64_t columns = basis_size(start.form), points = start.form.intervals + 1;
  const std::int64_t curves = std::ssize(coef) / columns;
  constexpr std::int64_t at_once = 256;
  const std::vector<double> fit = fit_of(start);
  const double size = start.scales.eps / start.form.intervals;
  std::vector<double> noise(at(at_once * points)), weights(at(at_once * columns));
  for (std::int64_t first = 0; first < curves; first += at_once) {
    const std::int64_t n = std::min(at_once, curves - first);
    for (std::int64_t e = 0; e < n * points; ++e)
      noise[at(e)] = size * (stream.uniform(at(first * points + e)) - 0.5);
    gemm_ordered(Gemm<double>{.trans_b = Trans::yes,
                              .m = n,
                              .n = columns,
                              .k = points,
                              .a = noise.data(),
                              .lda = points,
                              .b = fit.data(),
                              .ldb = points,
                              .c = weights.data(),
                              .ldc = columns});
    std::transform(weights.begin(), weights.begin() + n * columns, coef.begin() + first * columns,
                   [](double w) { return static_cast<float>(w); });
  }
}

// The factor of function k on a normal weight.
double damping(const CurveStart& start, std::int64_t k) {
  const auto in = static_cast<double>(start.fans.in);
  if (start.form.basis == CurveBasis::chebyshev) return 1 / (in * (start.form.degree + 1));
  const auto wave = static_cast<double>(k % (start.form.intervals + 1) + 1);
  return 1 / (std::sqrt(in) * wave * wave);
}

}  // namespace

Filling initial_coef(const CurveStart& start) {
  return [start](std::span<float> coef, const Substream& stream) {
    const std::int64_t columns = basis_size(start.form);
    LOGPX_ASSERT(std::ssize(coef) % columns == 0);
    if (grid_size(start.form) > 0) return fit_noise(start, coef, stream);
    const double deviation = deviation_of(start.fans);
    for (std::size_t e = 0; e < coef.size(); ++e)
      coef[e] = static_cast<float>(normal_at(stream, e) * deviation *
                                   damping(start, static_cast<std::int64_t>(e) % columns));
  };
}

Filling initial_w_base(const CurveStart& start) {
  return [start](std::span<float> weights, const Substream& stream) {
    const double root = std::sqrt(static_cast<double>(start.fans.in));
    for (std::size_t e = 0; e < weights.size(); ++e) {
      const double r = uniform_beside(stream, e, weights.size());
      const double by = (start.scales.mu + start.scales.sigma_b * (2 * r - 1)) / root;
      weights[e] = static_cast<float>(normal_at(stream, e) * deviation_of(start.fans) * by);
    }
  };
}

Filling initial_w_spline(const CurveStart& start) {
  return [start](std::span<float> weights, const Substream& stream) {
    const double deviation = deviation_of(start.fans) * start.scales.sigma_s;
    for (std::size_t e = 0; e < weights.size(); ++e)
      weights[e] = static_cast<float>(normal_at(stream, e) * deviation);
  };
}

}  // namespace logpx
