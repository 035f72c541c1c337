#include "libcore/math/curve_basis.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/det/arrays.hpp"
#include "libcore/math/grid_kernels.hpp"
#include "libcore/math/repeatable.hpp"
#include "libcore/math/vector_kernels.hpp"
#include "libcore/math/vector_math.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <type_traits>

namespace logpx {
namespace {

constexpr std::int64_t tile_size = 512;
template <typename T>
using TileRun = std::array<T, tile_size>;

// Some rows and some columns of a result, few enough to stay in the cache.
struct Tile {
  std::int64_t row, rows, column, columns;
  [[nodiscard]] std::int64_t size() const { return rows * columns; }
  template <typename T>
  [[nodiscard]] std::span<T> of(TileRun<T>& run) const {
    return std::span<T>(run).first(at(size()));
  }
};

template <typename Body>
void for_each_tile(std::int64_t rows, std::int64_t columns, Body body) {
  const std::int64_t wide = std::min(columns, tile_size), high = tile_size / wide;
  for (std::int64_t row = 0; row < rows; row += high)
    for (std::int64_t column = 0; column < columns; column += wide)
      body(Tile{row, std::min(high, rows - row), column, std::min(wide, columns - column)});
}

// out[row,column] = value(i), i counting the elements of the tile; nothing if `out` is empty.
template <typename T, typename Value>
void put(std::span<T> out, std::int64_t row_step, const Tile& tile, Value value) {
  if (out.empty()) return;
  T* const first = out.data() + tile.row * row_step + tile.column;
  for (std::int64_t r = 0; r < tile.rows; ++r)
    for (std::int64_t k = 0; k < tile.columns; ++k)
      first[r * row_step + k] = value(at(r * tile.columns + k));
}

// u = (x - g) scale
template <typename T>
void place(std::span<const T> x, std::span<const T> points, T scale, const Tile& tile,
           TileRun<T>& u) {
  const T* const g = points.data() + tile.column;
  for (std::int64_t r = 0; r < tile.rows; ++r) {
    const T here = x[at(tile.row + r)];
    T* const row = u.data() + r * tile.columns;
    for (std::int64_t k = 0; k < tile.columns; ++k) row[k] = (here - g[k]) * scale;
  }
}

// In float a value below 2^-40 counts as 0. It would change no sum of curves, but its products, and
// the squares that Adam keeps, would be subnormal: many times slower.
template <typename T>
T noticed(T value) {
  if constexpr (std::is_same_v<T, float>) return value < 0x1p-40F ? 0.0F : value;
  return value;
}

// The same numbers in one pass, where there is a kernel.
bool fast_rbf_values(const CurveGrid<float>& grid, std::span<const float> x,
                     const BasisValues<float>& out) {
  if (RepeatableFunctions::on() || vec::active_kernels().rbf == nullptr) return false;
  const auto wanted = [](std::span<float> all) { return all.empty() ? nullptr : all.data(); };
  vec::active_kernels().rbf({.x = x.data(),
                             .points = grid.points.data(),
                             .rows = std::ssize(x),
                             .columns = std::ssize(grid.points),
                             .row_step = out.row_step,
                             .scale = 1 / (grid.spacing * grid.tau),
                             .by_tau = 1 / grid.tau,
                             .values = wanted(out.values),
                             .slopes = wanted(out.slopes),
                             .tau_slopes = wanted(out.by_tau)});
  return true;
}

void rbf_values(const CurveGrid<float>& grid, std::span<const float> x,
                const BasisValues<float>& out) {
  if (fast_rbf_values(grid, x, out)) return;
  const float scale = 1 / (grid.spacing * grid.tau), by_tau = 1 / grid.tau;
  for_each_tile(std::ssize(x), std::ssize(grid.points), [&](const Tile& tile) {
    TileRun<float> u, b;
    place(x, grid.points, scale, tile, u);
    for (std::size_t i = 0; i < at(tile.size()); ++i) b[i] = -0.5F * u[i] * u[i];
    vec::exp(std::span<const float>(tile.of(b)), tile.of(b));
    for (float& value : tile.of(b)) value = noticed(value);
    put(out.values, out.row_step, tile, [&](std::size_t i) { return b[i]; });
    put(out.slopes, out.row_step, tile, [&](std::size_t i) { return -scale * u[i] * b[i]; });
    put(out.by_tau, out.row_step, tile, [&](std::size_t i) { return by_tau * u[i] * u[i] * b[i]; });
  });
}

// The same in double, where exp is that of libcore/det, which has vectors of doubles.
void rbf_values(const CurveGrid<double>& grid, std::span<const double> x,
                const BasisValues<double>& out) {
  const AllGridKernels& kernels = active_grid_kernels();
  for_each_tile(std::ssize(x), std::ssize(grid.points), [&](const Tile& tile) {
    TileRun<double> u, b;
    const RbfTile here{.x = x.data() + tile.row,
                       .points = grid.points.data() + tile.column,
                       .rows = tile.rows,
                       .columns = tile.columns,
                       .row_step = out.row_step,
                       .scale = 1 / (grid.spacing * grid.tau),
                       .by_tau = 1 / grid.tau};
    const auto of_tile = [&](std::span<double> all) {
      return all.empty() ? nullptr : all.data() + tile.row * out.row_step + tile.column;
    };
    kernels.rbf_arguments(here, u.data(), b.data());
    det::exp(tile.of(b), tile.of(b));
    kernels.rbf_results(here, u.data(), b.data(), of_tile(out.values), of_tile(out.slopes),
                        of_tile(out.by_tau));
  });
}

// 1 - tanh^2 = 4 e / (1 + e)^2 and tanh = sign (1 - e)/(1 + e), where e = exp(-2 |u|): nothing
// cancels in the tails.
template <typename T>
void rswaf_values(const CurveGrid<T>& grid, std::span<const T> x, const BasisValues<T>& out) {
  const T scale = 1 / grid.tau;
  for_each_tile(std::ssize(x), std::ssize(grid.points), [&](const Tile& tile) {
    TileRun<T> u, e;
    place(x, grid.points, scale, tile, u);
    for (std::size_t i = 0; i < at(tile.size()); ++i) e[i] = -2 * std::abs(u[i]);
    vec::exp(std::span<const T>(tile.of(e)), tile.of(e));
    const auto value = [&](std::size_t i) { return noticed(4 * e[i] / ((1 + e[i]) * (1 + e[i]))); };
    const auto slope = [&](std::size_t i) {
      return -2 * scale * value(i) * std::copysign((1 - e[i]) / (1 + e[i]), u[i]);
    };
    put(out.values, out.row_step, tile, value);
    put(out.slopes, out.row_step, tile, slope);
    put(out.by_tau, out.row_step, tile, [&](std::size_t i) { return -u[i] * slope(i); });
  });
}

// k tau x in whole turns, and the angle of what is left of them: exact in double, so that large x
// and k cost no digits of a float.
template <typename T>
T angle(double turns) {
  constexpr double to_integer = 6755399441055744;  // 1.5 2^52: adding it rounds
  return static_cast<T>(2 * std::numbers::pi * (turns - ((turns + to_integer) - to_integer)));
}

template <typename T>
void fourier_values(std::int64_t waves, T tau, std::span<const T> x, const BasisValues<T>& out) {
  const auto shifted = [&](std::span<T> all) { return all.empty() ? all : all.subspan(at(waves)); };
  const T turn = static_cast<T>(2 * std::numbers::pi);
  for_each_tile(std::ssize(x), waves, [&](const Tile& tile) {
    TileRun<T> c, s;
    const auto wave = [&](std::size_t i) {
      return static_cast<T>(tile.column + static_cast<std::int64_t>(i) % tile.columns);
    };
    const auto place_of = [&](std::size_t i) {
      return x[at(tile.row + static_cast<std::int64_t>(i) / tile.columns)];
    };
    for (std::size_t i = 0; i < at(tile.size()); ++i)
      s[i] = angle<T>(static_cast<double>(wave(i)) * static_cast<double>(tau) *
                      static_cast<double>(place_of(i)));
    vec::cos(std::span<const T>(tile.of(s)), tile.of(c));
    vec::sin(std::span<const T>(tile.of(s)), tile.of(s));
    const std::int64_t step = out.row_step;
    const auto by_x = [&](std::size_t i) { return turn * wave(i) * tau; };
    const auto by_tau = [&](std::size_t i) { return turn * wave(i) * place_of(i); };
    put(out.values, step, tile, [&](std::size_t i) { return c[i]; });
    put(shifted(out.values), step, tile, [&](std::size_t i) { return s[i]; });
    put(out.slopes, step, tile, [&](std::size_t i) { return -by_x(i) * s[i]; });
    put(shifted(out.slopes), step, tile, [&](std::size_t i) { return by_x(i) * c[i]; });
    put(out.by_tau, step, tile, [&](std::size_t i) { return -by_tau(i) * s[i]; });
    put(shifted(out.by_tau), step, tile, [&](std::size_t i) { return by_tau(i) * c[i]; });
  });
}

// T_k+1 = 2 y T_k - T_k-1, and T'_k = k U_k-1 with U of the same recurrence.
template <typename T>
void chebyshev_values(int degree, T tau, std::span<const T> x, const BasisValues<T>& out) {
  if (!(tau >= 1))
    fail(ErrorKind::numeric, "Chebyshev functions",
         "tau is " + four_digits(static_cast<double>(tau)) + ", it must be at least 1");
  for_each_tile(std::ssize(x), 1, [&](const Tile& tile) {
    TileRun<T> t;
    vec::tanh(x.subspan(at(tile.row), at(tile.rows)), tile.of(t));
    for (std::int64_t r = 0; r < tile.rows; ++r) {
      const T bent = t[at(r)], y = bent / tau, by_x = (1 - bent * bent) / tau, by_tau = -y / tau;
      const std::int64_t row = (tile.row + r) * out.row_step;
      T before = y, value = 1, lower = 0, slope = 0;  // T_-1 = y, U_-2 and U_-1 give T'_0 = 0
      for (int k = 0; k <= degree; ++k) {
        if (!out.values.empty()) out.values[at(row + k)] = value;
        if (!out.slopes.empty()) out.slopes[at(row + k)] = by_x * static_cast<T>(k) * slope;
        if (!out.by_tau.empty()) out.by_tau[at(row + k)] = by_tau * static_cast<T>(k) * slope;
        const T next = 2 * y * value - before;
        before = value;
        value = next;
        const T raised = k == 0 ? T(1) : 2 * y * slope - lower;
        lower = slope;
        slope = raised;
      }
    }
  });
}

constexpr int most_degree = 5;

// The functions of one degree that are not zero in the interval where x lies, by Cox and de Boor.
template <typename T>
class LocalSplines {
 public:
  LocalSplines(std::span<const T> knots, T x) : knots_(knots), x_(x) {
    interval_ = std::upper_bound(knots.begin(), knots.end(), x) - knots.begin() - 1;
    b_[0] = 1;
  }
  [[nodiscard]] bool inside() const { return interval_ >= 0 && interval_ + 1 < std::ssize(knots_); }
  void raise_to(int degree) {
    for (; degree_ < degree; ++degree_) {
      const int d = degree_ + 1;
      for (int i = d; i >= 0; --i) b_[at(i)] = next(first(d) + i, d, value(i - 1), value(i));
    }
  }
  // visit(j, B_j, B'_j) of the degree above, its values not yet computed.
  template <typename Visit>
  void with_slopes(Visit visit) const {
    const int d = degree_ + 1;
    for (int i = 0; i <= d; ++i)
      if (const std::int64_t j = first(d) + i; there(j, d))
        visit(j, next(j, d, value(i - 1), value(i)),
              static_cast<T>(d) * (ratio(value(i - 1), j, d) - ratio(value(i), j + 1, d)));
  }

 private:
  [[nodiscard]] std::int64_t first(int degree) const { return interval_ - degree; }
  [[nodiscard]] T value(int i) const { return i < 0 || i > degree_ ? T(0) : b_[at(i)]; }
  [[nodiscard]] bool there(std::int64_t j, int degree) const {
    return j >= 0 && j + degree + 1 < std::ssize(knots_);
  }
  // above / (t_j+count - t_j)
  [[nodiscard]] T ratio(T above, std::int64_t j, int count) const {
    const T below = knots_[at(j + count)] - knots_[at(j)];
    return below == T(0) ? T(0) : above / below;
  }
  // B_j,d from B_j,d-1 and B_j+1,d-1
  [[nodiscard]] T next(std::int64_t j, int d, T here, T after) const {
    if (!there(j, d)) return 0;
    return ratio((x_ - knots_[at(j)]) * here, j, d) +
           ratio((knots_[at(j + d + 1)] - x_) * after, j + 1, d);
  }

  std::span<const T> knots_;
  T x_;
  std::int64_t interval_;
  int degree_ = 0;
  std::array<T, most_degree + 1> b_{};
};

template <typename T>
void bspline_values(int degree, std::span<const T> knots, std::span<const T> x,
                    const BasisValues<T>& out) {
  const std::int64_t count = std::ssize(knots) - degree - 1;
  for (std::int64_t r = 0; r < std::ssize(x); ++r) {
    const auto row = [&](std::span<T> all) { return all.subspan(at(r * out.row_step), at(count)); };
    for (const std::span<T> all : {out.values, out.slopes, out.by_tau})
      if (!all.empty()) std::ranges::fill(row(all), T(0));
    LocalSplines<T> local(knots, x[at(r)]);
    if (!local.inside()) continue;
    local.raise_to(degree - 1);
    local.with_slopes([&](std::int64_t j, T value, T slope) {
      if (!out.values.empty()) row(out.values)[at(j)] = value;
      if (!out.slopes.empty()) row(out.slopes)[at(j)] = slope;
    });
  }
}

}  // namespace

std::int64_t basis_size(const CurveForm& form) {
  switch (form.basis) {
    case CurveBasis::bspline: return form.intervals + form.degree;
    case CurveBasis::fourier: return 2 * (form.intervals + 1);
    case CurveBasis::chebyshev: return form.degree + 1;
    case CurveBasis::rbf:
    case CurveBasis::rswaf: break;
  }
  return form.intervals + 1;
}

std::int64_t grid_size(const CurveForm& form) {
  switch (form.basis) {
    case CurveBasis::bspline: return form.intervals + 1 + 2 * form.degree;
    case CurveBasis::fourier:
    case CurveBasis::chebyshev: return 0;
    case CurveBasis::rbf:
    case CurveBasis::rswaf: break;
  }
  return form.intervals + 1;
}

bool has_tau(CurveBasis basis) { return basis != CurveBasis::bspline; }

template <typename T>
void basis_values(const CurveForm& form, const CurveGrid<T>& grid, std::span<const T> x,
                  const BasisValues<T>& out) {
  BasisValues<T> to = out;
  if (to.row_step == 0) to.row_step = basis_size(form);
  LOGPX_ASSERT(std::ssize(grid.points) == grid_size(form));
  switch (form.basis) {
    case CurveBasis::rbf: return rbf_values(grid, x, to);
    case CurveBasis::bspline: return bspline_values(form.degree, grid.points, x, to);
    case CurveBasis::rswaf: return rswaf_values(grid, x, to);
    case CurveBasis::fourier: return fourier_values(form.intervals + 1, grid.tau, x, to);
    case CurveBasis::chebyshev: return chebyshev_values(form.degree, grid.tau, x, to);
  }
}

template void basis_values(const CurveForm&, const CurveGrid<float>&, std::span<const float>,
                           const BasisValues<float>&);
template void basis_values(const CurveForm&, const CurveGrid<double>&, std::span<const double>,
                           const BasisValues<double>&);

}  // namespace logpx
