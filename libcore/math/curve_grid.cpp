#include "libcore/math/curve_grid.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/math/blas.hpp"
#include "libcore/math/least_squares.hpp"

#include <algorithm>
#include <cmath>

namespace logpx {
namespace {

using Numbers = std::vector<double>;

// From the first point up, and where that moved the last one, from there down.
void separate(Numbers& points, double gap) {
  const double end = points.back();
  for (std::size_t j = 1; j < points.size(); ++j)
    points[j] = std::max(points[j], points[j - 1] + gap);
  points.back() = end;
  for (std::size_t j = points.size() - 1; j-- > 1;)
    points[j] = std::min(points[j], points[j + 1] - gap);
}

// A feature before and after its grid moves.
class Move {
 public:
  Move(const CurveForm& form, double tau, const GridCurves& curves, const Numbers& points)
      : form_(form),
        tau_(tau),
        coef_(curves.coef),
        sizes_{.points = 10 * std::ssize(points),
               .curves = std::ssize(curves.coef) / basis_size(form),
               .old_columns = basis_size(form),
               .columns = basis_size(form)},
        grid_(grid_of(form, points)) {
    LOGPX_ASSERT(curves.grid.size() == grid_.size() && curves.domain.size() == 2);
    for (std::int64_t i = 0; i < sizes_.points; ++i)
      x_.push_back(points.front() + (points.back() - points.front()) * static_cast<double>(i) /
                                        static_cast<double>(sizes_.points - 1));
    before_ = basis(curves.grid, curves.domain[0], curves.domain[1]);
    after_ = basis(grid_, points.front(), points.back());
    transfer_ = transfer_matrix(sizes_, before_, after_);
    keep_rows(curves.domain[0], curves.domain[1]);
  }

  // Root mean squares of what changes and of the curves' ranges.
  [[nodiscard]] double change() {
    if (common_ == 0 || sizes_.curves == 0) return 0;
    const double range = mean_square_range();
    const double square = mean_square_change();
    if (square == 0) return 0;
    return range == 0 ? std::numeric_limits<double>::infinity() : std::sqrt(square / range);
  }
  void write(const GridCurves& curves) const {
    for_some_curves([&](std::int64_t first, std::int64_t n) {
      Refit sizes = sizes_;
      sizes.curves = n;
      const Numbers weights = transferred(sizes, transfer_, weights_of(first, n));
      std::ranges::transform(weights, curves.coef.begin() + first * sizes_.columns,
                             [](double w) { return static_cast<float>(w); });
    });
    std::ranges::copy(grid_, curves.grid.begin());
  }

 private:
  // visit(first, n) for runs of curves that are short enough for the cache.
  template <typename Visit>
  void for_some_curves(Visit visit) const {
    constexpr std::int64_t at_once = 256;
    for (std::int64_t first = 0; first < sizes_.curves; first += at_once)
      visit(first, std::min(at_once, sizes_.curves - first));
  }
  [[nodiscard]] Numbers weights_of(std::int64_t first, std::int64_t n) const {
    const auto some = coef_.subspan(at(first * sizes_.columns), at(n * sizes_.columns));
    return {some.begin(), some.end()};
  }
  [[nodiscard]] Numbers basis(std::span<const double> grid, double low, double high) const {
    Numbers values(at(sizes_.points * sizes_.columns));
    basis_values<double>(form_, {grid, (high - low) / form_.intervals, tau_}, x_,
                         {.values = values});
    return values;
  }
  // Only where the old curves had their domain can they change.
  void keep_rows(double low, double high) {
    const auto first = std::ranges::lower_bound(x_, low) - x_.begin();
    const auto end = std::ranges::upper_bound(x_, high) - x_.begin();
    first_common_ = first;
    common_ = std::max<std::int64_t>(0, end - first);
  }

  // With D = after transfer - before, the mean of |D w|^2 over the curves is that of w^T D^T D w.
  [[nodiscard]] double mean_square_change() const {
    const std::int64_t k = sizes_.columns, start = first_common_ * k;
    Numbers difference(before_.begin() + start, before_.begin() + start + common_ * k);
    gemm(Gemm<double>{.m = common_,
                      .n = k,
                      .k = k,
                      .a = after_.data() + start,
                      .lda = k,
                      .b = transfer_.data(),
                      .ldb = k,
                      .c = difference.data(),
                      .ldc = k,
                      .beta = -1});
    Numbers gram(at(k * k));
    gemm(Gemm<double>{.trans_a = Trans::yes,
                      .m = k,
                      .n = k,
                      .k = common_,
                      .a = difference.data(),
                      .lda = k,
                      .b = difference.data(),
                      .ldb = k,
                      .c = gram.data(),
                      .ldc = k});
    double sum = 0;
    for_some_curves([&](std::int64_t first, std::int64_t n) {
      const Numbers weights = weights_of(first, n);
      Numbers taken(weights.size());
      gemm(Gemm<double>{.m = n,
                        .n = k,
                        .k = k,
                        .a = weights.data(),
                        .lda = k,
                        .b = gram.data(),
                        .ldb = k,
                        .c = taken.data(),
                        .ldc = k});
      for (std::size_t e = 0; e < taken.size(); ++e) sum += taken[e] * weights[e];
    });
    return std::max(0.0, sum) / static_cast<double>(sizes_.curves * common_);
  }

  // Ranges are looked for at two points an interval, and at the last.
  [[nodiscard]] std::vector<float> functions_for_ranges() const {
    constexpr std::int64_t every = 5;
    const std::int64_t k = sizes_.columns;
    std::vector<float> functions;
    for (std::int64_t i = 0; i < common_ + every - 1; i += every) {
      const auto row = before_.begin() + (first_common_ + std::min(i, common_ - 1)) * k;
      std::transform(row, row + k, std::back_inserter(functions),
                     [](double value) { return static_cast<float>(value); });
    }
    return functions;
  }
  [[nodiscard]] double mean_square_range() const {
    const std::vector<float> functions = functions_for_ranges();
    const std::int64_t k = sizes_.columns, points = std::ssize(functions) / k;
    double sum = 0;
    for_some_curves([&](std::int64_t first, std::int64_t n) {
      std::vector<float> values(at(points * n));
      gemm(Gemm<float>{.trans_b = Trans::yes,
                       .m = points,
                       .n = n,
                       .k = k,
                       .a = functions.data(),
                       .lda = k,
                       .b = coef_.data() + first * k,
                       .ldb = k,
                       .c = values.data(),
                       .ldc = n});
      for (const double range : ranges(values, n)) sum += range * range;
    });
    return sum / static_cast<double>(sizes_.curves);
  }
  // values [points,n]
  [[nodiscard]] static Numbers ranges(const std::vector<float>& values, std::int64_t n) {
    std::vector<float> lowest(values.begin(), values.begin() + n), highest = lowest;
    for (std::size_t row = at(n); row < values.size(); row += at(n))
      for (std::size_t c = 0; c < at(n); ++c) {
        lowest[c] = std::min(lowest[c], values[row + c]);
        highest[c] = std::max(highest[c], values[row + c]);
      }
    Numbers all;
    for (std::size_t c = 0; c < at(n); ++c)
      all.push_back(static_cast<double>(highest[c]) - static_cast<double>(lowest[c]));
    return all;
  }

  CurveForm form_;
  double tau_;
  std::span<const float> coef_;
  Refit sizes_;
  Numbers grid_, x_, before_, after_, transfer_;
  std::int64_t first_common_ = 0, common_ = 0;
};

}  // namespace

std::vector<double> uniform_grid(double low, double high, int intervals) {
  LOGPX_ASSERT(intervals >= 1 && low < high);
  std::vector<double> grid;
  for (int i = 0; i <= intervals; ++i) grid.push_back(low + (high - low) * i / intervals);
  return grid;
}

std::vector<double> extended_knots(const std::vector<double>& grid, int degree) {
  LOGPX_ASSERT(grid.size() >= 2);
  const double h = (grid.back() - grid.front()) / static_cast<double>(grid.size() - 1);
  std::vector<double> knots;
  for (int i = degree; i > 0; --i) knots.push_back(grid.front() - i * h);
  knots.insert(knots.end(), grid.begin(), grid.end());
  for (int i = 1; i <= degree; ++i) knots.push_back(grid.back() + i * h);
  return knots;
}

std::vector<double> grid_of(const CurveForm& form, const std::vector<double>& points) {
  if (form.basis == CurveBasis::bspline) return extended_knots(points, form.degree);
  return grid_size(form) > 0 ? points : std::vector<double>();
}

std::vector<double> moved_points(int intervals, const GridMove& move,
                                 std::span<const double> inputs) {
  LOGPX_ASSERT(intervals >= 1 && std::ranges::is_sorted(inputs));
  const auto kept = [&](double x) { return std::clamp(x, move.lowest, move.highest); };
  if (inputs.empty() || !std::isfinite(inputs.front()) || !std::isfinite(inputs.back())) return {};
  const double low = kept(inputs.front()), high = kept(inputs.back()), range = high - low;
  std::vector<double> points;
  for (int i = 0; i <= intervals; ++i) {
    const std::int64_t place = std::min(std::ssize(inputs) * i / intervals, std::ssize(inputs) - 1);
    const double even = low + range * i / intervals;
    points.push_back(move.ratio * even + (1 - move.ratio) * kept(inputs[at(place)]));
  }
  points.front() = kept(low - move.pad * range);
  points.back() = kept(high + move.pad * range);
  const double gap = 1e-4 * (points.back() - points.front()) / intervals;
  const double largest = std::max(std::fabs(points.front()), std::fabs(points.back()));
  // Neighbours must differ where a grid is stored in float, too.
  if (!(gap > 1e-7 * largest)) return {};
  separate(points, gap);
  return points;
}

GridMoved move_grid(const CurveForm& form, const GridMove& move, std::span<const double> inputs,
                    const GridCurves& curves) {
  const std::vector<double> points = moved_points(form.intervals, move, inputs);
  if (points.empty()) return {GridFate::no_interval};
  GridMoved result;
  if (grid_size(form) > 0) {
    Move moving(form, move.tau, curves, points);
    result.change = moving.change();
    if (!(result.change <= move.most_change)) {
      result.fate = GridFate::rolled_back;
      return result;
    }
    moving.write(curves);
  }
  curves.domain[0] = points.front();
  curves.domain[1] = points.back();
  return result;
}

std::int64_t count_outside(std::span<const double> inputs, std::span<const double> domain) {
  return std::ranges::count_if(inputs,
                               [&](double x) { return !(x >= domain[0] && x <= domain[1]); });
}

}  // namespace logpx
