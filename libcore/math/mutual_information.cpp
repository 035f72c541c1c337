#include "libcore/math/mutual_information.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/det/functions.hpp"
#include "libcore/math/blas.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace logpx {

namespace {

// (n + a) ln (n + a) for n = 0 .. rows, in units of 2^-shift: such sums are exact, in any order.
class WeightedLogs {
 public:
  WeightedLogs(std::int64_t rows, double a, int shift) : table_(at(rows + 1)) {
    for (std::int64_t n = 0; n <= rows; ++n) {
      const double x = static_cast<double>(n) + a;
      table_[at(n)] = x > 0 ? std::llround(std::ldexp(x * det_log(x), shift)) : 0;
    }
  }
  std::int64_t operator()(std::uint32_t n) const { return table_[n]; }

 private:
  std::vector<std::int64_t> table_;
};

// The sums of logarithms that mutual information is made of: with Z = N + alpha bins^2,
// Z MI = sum (n_ij + a) ln (n_ij + a) - sum (n_i + a K) ln (n_i + a K) - the same for j + Z ln Z.
// Cells that take() does not name have no rows.
class PairSum {
 public:
  PairSum(const BinnedColumns& columns, double alpha)
      : bins_(at(columns.bins)),
        alpha_(alpha),
        shift_(shift_for(columns, alpha)),
        cell_(columns.rows, alpha, shift_),
        margin_(columns.rows, alpha * columns.bins, shift_) {}

  struct Sum {
    std::vector<std::uint32_t> rows, columns;  // margins without missing values
    std::int64_t cells = 0, named = 0;
  };
  void begin(Sum& sum) const {
    sum.rows.assign(bins_, 0);
    sum.columns.assign(bins_, 0);
    sum.cells = sum.named = 0;
  }
  // Adds n rows in bin a of one variable and bin b of the other.
  void take(Sum& sum, std::size_t a, std::size_t b, std::uint32_t n) const {
    if (n == 0 || a == bins_ || b == bins_) return;
    sum.rows[a] += n;
    sum.columns[b] += n;
    sum.cells += cell_(n);
    ++sum.named;
  }
  [[nodiscard]] double nats(const Sum& sum) const {
    const auto cells = static_cast<std::int64_t>(bins_ * bins_);
    std::int64_t whole = sum.cells + (cells - sum.named) * cell_(0), total = 0;
    for (const std::uint32_t n : sum.rows) {
      whole -= margin_(n);
      total += n;
    }
    for (const std::uint32_t n : sum.columns) whole -= margin_(n);
    const double z = static_cast<double>(total) + alpha_ * static_cast<double>(cells);
    if (z <= 0) return 0;
    whole += std::llround(std::ldexp(z * det_log(z), shift_));
    return std::max(0.0, std::ldexp(static_cast<double>(whole), -shift_) / z);
  }

 private:
  // The largest unit in which four times Z ln Z stays within 2^62.
  static int shift_for(const BinnedColumns& columns, double alpha) {
    const double z = static_cast<double>(columns.rows) + alpha * columns.bins * columns.bins + 3;
    return 59 - std::ilogb(z * det_log(z));
  }

  std::size_t bins_;
  double alpha_;
  int shift_;
  WeightedLogs cell_, margin_;
};

// A variable whose missing values are one more bin, and the rows in which it is not in its most
// frequent bin.
struct Variable {
  struct Row {
    std::uint32_t row, bin;
  };
  std::vector<std::uint32_t> counts;  // by bin, missing values last
  std::uint32_t usual = 0;
  std::vector<Row> unusual;
};

class PairCounts {
 public:
  explicit PairCounts(const BinnedColumns& columns)
      : width_(at(columns.bins + 1)), rows_(at(columns.rows)), values_(columns.values.size()) {
    for (std::size_t k = 0; k < values_.size(); ++k) {
      const std::uint16_t bin = columns.values[k];
      LOGPX_ASSERT(bin < columns.bins || bin == missing_bin);
      values_[k] = std::min(bin, static_cast<std::uint16_t>(columns.bins));
    }
    for (std::int64_t v = 0; v < columns.variables; ++v) variables_.push_back(described(v));
  }

  // In each pair the variable comes first that is more often in its most frequent bin.
  [[nodiscard]] bool before(std::size_t i, std::size_t j) const {
    const std::size_t a = variables_[i].unusual.size(), b = variables_[j].unusual.size();
    return a != b ? a < b : i < j;
  }

  struct Room {
    std::vector<std::uint32_t> table, left;
    PairSum::Sum sum;
  };
  [[nodiscard]] Room room() const {
    return {std::vector<std::uint32_t>(2 * width_ * width_), {}, {}};
  }
  // Counts only rows in which i is not in its most frequent bin; the others are the rest of j's.
  [[nodiscard]] double nats(std::size_t i, std::size_t j, const PairSum& by, Room& room) const {
    const Variable& one = variables_[i];
    room.left = variables_[j].counts;
    by.begin(room.sum);
    const bool few = one.unusual.size() < width_ * width_ / 2;
    few ? count_few(one, &values_[j * rows_], by, room)
        : count_many(one, &values_[j * rows_], by, room);
    for (std::size_t b = 0; b < width_; ++b) by.take(room.sum, one.usual, b, room.left[b]);
    return by.nats(room.sum);
  }

 private:
  // Tables are clear before and after: the first row that meets a cell also clears it.
  void count_few(const Variable& one, const std::uint16_t* bins, const PairSum& by,
                 Room& room) const {
    std::uint32_t* const table = room.table.data();
    for (const auto& [row, bin] : one.unusual) ++table[bin * width_ + bins[row]];
    for (const auto& [row, bin] : one.unusual) {
      const std::size_t b = bins[row];
      const std::uint32_t n = std::exchange(table[bin * width_ + b], 0);
      room.left[b] -= n;
      by.take(room.sum, bin, b, n);
    }
  }

  // Two tables take turns, so that an increment seldom waits for the one before it.
  void count_many(const Variable& one, const std::uint16_t* bins, const PairSum& by,
                  Room& room) const {
    std::uint32_t *const even = room.table.data(), *const odd = even + width_ * width_;
    std::size_t k = 0;
    for (; k + 1 < one.unusual.size(); k += 2) {
      ++even[one.unusual[k].bin * width_ + bins[one.unusual[k].row]];
      ++odd[one.unusual[k + 1].bin * width_ + bins[one.unusual[k + 1].row]];
    }
    if (k < one.unusual.size()) ++even[one.unusual[k].bin * width_ + bins[one.unusual[k].row]];
    for (std::size_t a = 0, cell = 0; a < width_; ++a)
      for (std::size_t b = 0; b < width_; ++b, ++cell) {
        const std::uint32_t n = even[cell] + odd[cell];
        room.left[b] -= n;
        by.take(room.sum, a, b, n);
      }
    std::fill(room.table.begin(), room.table.end(), 0);
  }

  [[nodiscard]] Variable described(std::int64_t v) const {
    Variable variable;
    variable.counts.assign(width_, 0);
    const std::span<const std::uint16_t> bins = std::span(values_).subspan(at(v) * rows_, rows_);
    for (const std::uint16_t bin : bins) ++variable.counts[bin];
    const auto most = std::max_element(variable.counts.begin(), variable.counts.end());
    variable.usual = static_cast<std::uint32_t>(most - variable.counts.begin());
    for (std::size_t row = 0; row < rows_; ++row)
      if (bins[row] != variable.usual)
        variable.unusual.push_back({static_cast<std::uint32_t>(row), bins[row]});
    return variable;
  }

  std::size_t width_, rows_;
  std::vector<std::uint16_t> values_;  // the missing ones last
  std::vector<Variable> variables_;
};

// Sums over the rows of a pair, of distances from the two means.
struct Moments {
  double xx = 0, yy = 0, xy = 0;

  [[nodiscard]] double nats() const {
    if (xx <= 0 || yy <= 0) return 0;
    // Keeps the result finite for variables that are equal up to rounding.
    const double rest = std::max(1 - xy / xx * (xy / yy), 0x1p-52);
    return std::max(0.0, -0.5 * det_log(rest));
  }
};

// Real variables. Pairs without missing values, which is most of them, are one product of matrices.
class RealPairs {
 public:
  RealPairs(std::span<const double> values, std::size_t variables)
      : values_(values),
        rows_(values.size() / std::max<std::size_t>(variables, 1)),
        centred_(values.begin(), values.end()),
        squares_(variables) {
    for (std::size_t v = 0; v < variables; ++v) centre(v);
  }

  // Those of some variables from `first` on with all behind them, and the same for these.
  void set_nats(std::size_t first, std::size_t count, std::span<double> nats) const {
    const std::size_t variables = squares_.size();
    gemm_ordered(Gemm<double>{.trans_b = Trans::yes,
                              .m = std::int64_t(count),
                              .n = std::int64_t(variables - first),
                              .k = std::int64_t(rows_),
                              .a = &centred_[first * rows_],
                              .lda = std::int64_t(rows_),
                              .b = &centred_[first * rows_],
                              .ldb = std::int64_t(rows_),
                              .c = &nats[first * variables + first],
                              .ldc = std::int64_t(variables),
                              .beta = 0});
    for (std::size_t i = first; i < first + count; ++i)
      for (std::size_t j = i; j < variables; ++j) {
        const std::size_t cell = i * variables + j;
        const bool complete = squares_[i] && squares_[j];
        const Moments sums =
            complete ? Moments{*squares_[i], *squares_[j], nats[cell]} : where_both_are_known(i, j);
        nats[cell] = nats[j * variables + i] = i == j ? 0 : sums.nats();
      }
  }

 private:
  // With distances from the first value a constant has a mean of exactly 0.
  void centre(std::size_t v) {
    const std::span<double> own = std::span(centred_).subspan(v * rows_, rows_);
    if (std::ranges::any_of(own, [](double x) { return std::isnan(x); })) {
      std::ranges::fill(own, 0.0);
      return;
    }
    const double first = own.empty() ? 0 : own[0];
    double mean = 0, squares = 0;
    for (double& x : own) mean += x -= first;
    mean /= static_cast<double>(rows_);
    for (double& x : own) {
      x -= mean;
      squares += x * x;
    }
    squares_[v] = squares;
  }

  [[nodiscard]] Moments where_both_are_known(std::size_t i, std::size_t j) const {
    const double *x = &values_[i * rows_], *y = &values_[j * rows_];
    const auto both = [&](std::size_t r) { return !std::isnan(x[r]) && !std::isnan(y[r]); };
    std::size_t first = 0;
    while (first < rows_ && !both(first)) ++first;
    double n = 0, mean_x = 0, mean_y = 0;
    for (std::size_t r = first; r < rows_; ++r) {
      if (!both(r)) continue;
      n += 1;
      mean_x += x[r] - x[first];
      mean_y += y[r] - y[first];
    }
    Moments sums;
    for (std::size_t r = first; r < rows_; ++r) {
      if (!both(r)) continue;
      const double dx = x[r] - x[first] - mean_x / n, dy = y[r] - y[first] - mean_y / n;
      sums.xx += dx * dx;
      sums.yy += dy * dy;
      sums.xy += dx * dy;
    }
    return sums;
  }

  std::span<const double> values_;
  std::size_t rows_;
  std::vector<double> centred_;                 // 0 where a variable has missing values
  std::vector<std::optional<double>> squares_;  // of variables without
};

constexpr std::int64_t variables_at_once = 32;

}  // namespace

std::vector<double> mutual_information(const BinnedColumns& columns, double alpha,
                                       Workers& workers) {
  LOGPX_ASSERT(columns.bins >= 1 && columns.bins < missing_bin && alpha >= 0);
  LOGPX_ASSERT(std::ssize(columns.values) == columns.variables * columns.rows);
  const PairCounts counts(columns);
  const PairSum sum(columns, alpha);
  const std::size_t variables = at(columns.variables);
  std::vector<double> nats(variables * variables);
  workers.run(columns.variables, [&](std::int64_t variable) {
    const std::size_t i = at(variable);
    PairCounts::Room room = counts.room();
    for (std::size_t j = 0; j < variables; ++j)
      if (i != j && counts.before(i, j))
        nats[i * variables + j] = nats[j * variables + i] = counts.nats(i, j, sum, room);
  });
  return nats;
}

std::vector<double> normal_information(std::span<const double> values, std::int64_t variables,
                                       Workers& workers) {
  const std::size_t count = at(variables);
  const RealPairs pairs(values, count);
  std::vector<double> nats(count * count);
  workers.run((variables + variables_at_once - 1) / variables_at_once, [&](std::int64_t block) {
    const std::size_t first = at(block * variables_at_once);
    const std::size_t some = std::min(count - first, at(variables_at_once));
    pairs.set_nats(first, some, nats);
  });
  return nats;
}

}  // namespace logpx
