// A curve that formulas are fitted to: how much of it h(a z + b) explains, and one step towards
// explaining more.
#pragma once

#include "libcore/math/symbolic_fit.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace logpx {

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
