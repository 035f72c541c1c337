// The formula c h(a z + b) + d that is closest to a curve, for every h of symbolic.hpp, and the
// best of these.   [math/README 6.5]
//
//   const SymbolicFits fits = fit_formulas({z, y, w, -1, 1}, {});
//   const std::string text = formula_text(fits.best().formula);
#pragma once

#include "libcore/math/symbolic.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace logpx {

// Points of a curve, and the interval on which a formula must be finite.
struct SymbolicPoints {
  std::span<const double> z, y, weights;  // weights: none is negative, not all are 0
  double low = 0, high = 1;
};

struct SymbolicOptions {
  double simplicity = 0.5;  // w in [0, 1]: what complexity counts, next to how close the fit is
  double min_r2 = 0.9;      // a best fit below it is a poor one
  double flat = 1e-12;      // a curve of a smaller range is the constant "0"
  std::int64_t grid = 101;  // values of a and of b in [-10, 10], which the search begins with
  std::int64_t zooms = 3;   // grids in all, each between the neighbours of the last best point
};

struct SymbolicFit {
  Formula formula;
  double r2 = 0;     // 1 - weighted squares of what is left / those of y around its mean
  double score = 0;  // w complexity + (1 - w) log2(1 + 1e-5 - r2): the smallest is the best
};
struct SymbolicFits {
  std::vector<SymbolicFit> candidates;  // the best first; never empty
  bool poor = false;

  [[nodiscard]] const SymbolicFit& best() const { return candidates.front(); }
};

// Grids over (a, b) with c and d by least squares, then Levenberg-Marquardt on all that c and d do
// not absorb: the size of a in powers, roots, 1/x, log, abs and sign, where it stays 1, and b in
// exp, where it stays 0. Left out are functions that are not finite on the whole interval, and
// those that would be the small difference of large terms.
[[nodiscard]] SymbolicFits fit_formulas(const SymbolicPoints& points,
                                        const SymbolicOptions& options);

// A curve that formulas are fitted to: how much of it h(a z + b) explains, and one step towards
// explaining more.

// What is left to search when c and d have absorbed what they can.
enum class Freedom { none, shift, shift_either_way, rate, both };

// Used by one thread at a time.
class SymbolicCurve {
 public:
  explicit SymbolicCurve(const SymbolicPoints& points);

  [[nodiscard]] double range() const { return range_; }
  [[nodiscard]] double mean() const { return mean_; }
  [[nodiscard]] bool finite(const Formula& formula) const {
    return is_finite_on(formula, low_, high_);
  }

  // R^2 with the best c and d from 64 points at most, in single precision, for a search; -1 where h
  // is not finite.
  [[nodiscard]] double explained(std::int64_t function, double a, double b);
  // R^2 from all points.
  [[nodiscard]] double r2(const Formula& formula) const;
  // The weighted squares that a formula leaves.
  [[nodiscard]] double squares_left(const Formula& formula) const;
  // c and d by least squares; nothing where h is constant or not finite.
  [[nodiscard]] std::optional<Formula> with_scale(Formula formula) const;
  // One damped step of Levenberg-Marquardt in c, d and what is free of a and b.
  [[nodiscard]] Formula step(const Formula& from, double damping, Freedom freedom) const;
  // c h exceeds the range of the curve several times: d takes most of it away again.
  [[nodiscard]] bool has_large_terms(Formula formula) const;

 private:
  void choose_quick();

  std::vector<double> z_, y_, weights_, weighted_y_;  // weights sum up to 1
  std::vector<float> quick_z_, quick_y_, quick_weights_, argument_;
  double low_, high_, mean_ = 0, variance_ = 0, range_ = 0, quick_variance_ = 0;
};

}  // namespace logpx
