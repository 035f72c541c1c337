// The functions of a layer of curves at its inputs, with their slopes.
#include "libcore/grad/ops_spline.hpp"

#include "libcore/base/index.hpp"
#include "libcore/grad/axes.hpp"
#include "libcore/grad/ops_pointwise.hpp"

#include <algorithm>
#include <array>
#include <numbers>

namespace logpx {
namespace {

constexpr std::int64_t rows_at_once = 64;
template <typename T>
using Column = std::array<T, rows_at_once>;

class CurveBasisOp final : public TypedOp<CurveBasisOp> {
 public:
  // Which operand is what: 0 is x, and -1 stands for one that is not given.
  struct Operands {
    int points = -1, spacing = -1, tau = -1;
  };
  CurveBasisOp(const CurveForm& form, const Operands& operands, Activation beside)
      : form_(form), operands_(operands), beside_(beside) {}

  const char* name() const override { return "curve_basis"; }
  Shape infer(std::span<const Shape> in) const override {
    const Shape& x = in[0];
    expect_fit(x.rank() >= 1 && x.rank() < Shape::max_rank, in, "needs [...,I] of at most 4 axes");
    expect_degree(in);
    if (const int p = operands_.points; p >= 0) expect_points(in, in[at(p)]);
    for (const int one : {operands_.spacing, operands_.tau})
      expect_fit(one < 0 || in[at(one)] == Shape{} || in[at(one)] == Shape{x.back()}, in,
                 "a width must be one number, or one for each feature");
    std::vector<std::int64_t> sizes(x.sizes().begin(), x.sizes().end());
    sizes.push_back(basis_size(form_) + (beside_ == Activation::none ? 0 : 1));
    return Shape(sizes);
  }
  Keeps keeps() const override { return {.inputs = 0b1111}; }
  Scratch scratch(std::span<const Shape>, const Shape&, const Numerics&) const override {
    return {.workspace = 2 * rows_at_once * basis_size(form_)};
  }
  double flops(std::span<const Shape>, const Shape& out) const override {
    return 20 * static_cast<double>(out.elements());
  }

  template <typename T>
  void forward(const Frame<T>& f) const {
    const std::int64_t count = basis_size(form_), width = f.output_shape.back();
    for_each_part(f, [&](const Part<T>& part) {
      T* const out = f.output + part.first * width;
      const auto reach = at((std::ssize(part.x) - 1) * part.step * width + count);
      basis_values<T>(form_, part.grid, part.x,
                      {.values = {out, reach}, .row_step = part.step * width});
      if (beside_ == Activation::none) return;
      Column<T> y;
      activate(beside_, part.x, std::span(y).first(part.x.size()));
      for (std::size_t r = 0; r < part.x.size(); ++r)
        out[static_cast<std::int64_t>(r) * part.step * width + count] = y[r];
    });
  }

  template <typename T>
  void backward(const Frame<T>& f) const {
    LOGPX_ASSERT(!wants(f, operands_.points) && !wants(f, operands_.spacing));
    const std::int64_t count = basis_size(form_), width = f.output_shape.back();
    const bool by_tau = wants(f, operands_.tau);
    T* const dx = f.wants(0) ? f.begin_gradient(0) : nullptr;
    T* const dtau = by_tau ? f.begin_gradient(operands_.tau) : nullptr;
    for_each_part(f, [&](const Part<T>& part) {
      const auto size = part.x.size() * at(count);
      BasisValues<T> wanted;
      if (dx != nullptr) wanted.slopes = {f.workspace(), size};
      if (by_tau) wanted.by_tau = {f.workspace() + rows_at_once * count, size};
      basis_values<T>(form_, part.grid, part.x, wanted);
      const T* const up = f.output_gradient + part.first * width;
      for (std::size_t r = 0; r < part.x.size(); ++r) {
        const auto row = static_cast<std::int64_t>(r);
        const T* const here = up + row * part.step * width;
        if (dx != nullptr)
          dx[part.first + row * part.step] +=
              short_dot(here, wanted.slopes.data() + row * count, count);
        if (by_tau) dtau[part.tau_at] += short_dot(here, wanted.by_tau.data() + row * count, count);
      }
      if (dx != nullptr) add_beside(part, up, dx);
    });
  }

 private:
  // Some rows of one feature.
  template <typename T>
  struct Part {
    CurveGrid<T> grid;
    std::span<const T> x;
    std::int64_t first = 0, step = 1;  // among the elements of the input
    std::int64_t tau_at = 0;
  };

  void expect_degree(std::span<const Shape> in) const {
    if (form_.basis == CurveBasis::bspline)
      expect_fit(1 <= form_.degree && form_.degree <= 5, in, "the degree must be 1 to 5");
    expect_fit(basis_size(form_) >= 1, in,
               "degree " + std::to_string(form_.degree) + " needs more knots");
  }
  void expect_points(std::span<const Shape> in, const Shape& points) const {
    const bool one = points.rank() == 1, each = points.rank() == 2 && points[0] == in[0].back();
    expect_fit((one || each) && points.back() == grid_size(form_), in,
               "the grid must be " + std::to_string(grid_size(form_)) +
                   " points, or as many for each of " + std::to_string(in[0].back()) + " features");
  }

  template <typename T>
  static bool wants(const Frame<T>& f, int operand) {
    return operand >= 0 && f.wants(operand);
  }
  // One number for all features, or one each.
  template <typename T>
  static T of_feature(const Frame<T>& f, int operand, std::int64_t i) {
    if (operand < 0) return 1;
    const View<const T> all = f.in(operand);
    return all[all.shape.rank() == 0 ? 0 : i];
  }
  template <typename T>
  CurveGrid<T> grid_of(const Frame<T>& f, std::int64_t i) const {
    CurveGrid<T> grid{{}, of_feature(f, operands_.spacing, i), of_feature(f, operands_.tau, i)};
    if (operands_.points < 0) return grid;
    const View<const T> all = f.in(operands_.points);
    const std::int64_t count = all.shape.back();
    grid.points = {all.data + (all.shape.rank() == 1 ? 0 : i * count), at(count)};
    return grid;
  }
  template <typename T, typename Visit>
  void for_each_part(const Frame<T>& f, Visit visit) const {
    const View<const T> x = f.in(0);
    const std::int64_t features = x.shape.back(), rows = features == 0 ? 0 : x.size() / features;
    const int tau = operands_.tau;
    Column<T> column;
    for (std::int64_t i = 0; i < features; ++i) {
      Part<T> part{.grid = grid_of(f, i), .x = {}, .step = features};
      part.tau_at = tau < 0 || f.in(tau).shape.rank() == 0 ? 0 : i;
      for (std::int64_t row = 0; row < rows; row += rows_at_once) {
        const std::int64_t n = std::min(rows_at_once, rows - row);
        part.first = row * features + i;
        for (std::int64_t r = 0; r < n; ++r) column[at(r)] = x[part.first + r * features];
        part.x = std::span(column).first(at(n));
        visit(part);
      }
    }
  }

  // The slope of the activation, which stands last in each row of `up`.
  template <typename T>
  void add_beside(const Part<T>& part, const T* up, T* dx) const {
    if (beside_ == Activation::none) return;
    const std::int64_t count = basis_size(form_), step = part.step * (count + 1);
    Column<T> kept, d;
    const auto n = part.x.size();
    std::ranges::copy(part.x, kept.begin());
    if (derivative_from_result(beside_)) activate(beside_, part.x, std::span(kept).first(n));
    for (std::size_t r = 0; r < n; ++r) d[r] = up[static_cast<std::int64_t>(r) * step + count];
    activation_backward(beside_, std::span<const T>(kept).first(n), std::span<const T>(d).first(n),
                        std::span(d).first(n));
    for (std::size_t r = 0; r < n; ++r)
      dx[part.first + static_cast<std::int64_t>(r) * part.step] += d[r];
  }

  CurveForm form_;
  Operands operands_;
  Activation beside_;
};

}  // namespace

Var curve_basis(Var x, const CurveForm& form, const CurvePlaces& places, Activation beside) {
  std::vector<Var> inputs = {x};
  const auto place_of = [&](const std::optional<Var>& operand) {
    if (!operand) return -1;
    inputs.push_back(*operand);
    return static_cast<int>(inputs.size()) - 1;
  };
  CurveBasisOp::Operands operands;
  operands.points = place_of(places.points);
  operands.spacing = place_of(places.spacing);
  operands.tau = place_of(places.tau);
  LOGPX_ASSERT((operands.points >= 0) == (grid_size(form) > 0));
  return x.graph().apply(std::make_unique<CurveBasisOp>(form, operands, beside), inputs);
}

// exp(-(u/width)^2) = exp(-(u/(h tau))^2 / 2) with h = 1
Var rbf_basis(Var x, Var grid, Var width) {
  const CurveForm form{.basis = CurveBasis::rbf,
                       .intervals = static_cast<int>(grid.shape().back()) - 1};
  return curve_basis(x, form, {.points = grid, .tau = affine(width, 1 / std::numbers::sqrt2, 0)});
}

Var bspline_basis(Var x, Var knots, int degree) {
  const CurveForm form{.basis = CurveBasis::bspline,
                       .intervals = static_cast<int>(knots.shape().back()) - 1 - 2 * degree,
                       .degree = degree};
  return curve_basis(x, form, {.points = knots});
}

}  // namespace logpx
