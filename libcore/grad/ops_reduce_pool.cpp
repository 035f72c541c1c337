// Summaries of the rows that a mask keeps.
#include "libcore/grad/ops_reduce.hpp"
#include "libcore/base/index.hpp"
#include "libcore/grad/shape_rule.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

namespace logpx {
namespace {

constexpr double variance_floor = 1e-5;

struct MaskedPool final : TypedOp<MaskedPool> {
  Pool pool;
  explicit MaskedPool(Pool p) : pool(p) {}
  const char* name() const override { return "masked_pool"; }
  Shape infer(std::span<const Shape> in) const override {
    expect_fit(
        in[0].rank() == 3 && in[1].rank() == 2 && in[0][0] == in[1][0] && in[0][1] == in[1][1], in,
        "expected [B,N,C] and a mask [B,N]");
    return {in[0][0], in[0][2]};
  }
  Keeps keeps() const override { return {.inputs = 3, .output = pool != Pool::mean}; }

  // Up to `width` columns of one example: rows are read whole, sums are in double.
  static constexpr std::int64_t width = 256;
  using Row = std::array<double, width>;
  struct Stretch {
    std::int64_t example = 0, first = 0, n = 0;
  };
  template <typename T, typename Use>
  static void for_each_stretch(const Frame<T>& f, Use use) {
    const std::int64_t columns = f.output_shape[1];
    for (std::int64_t b = 0; b < f.output_shape[0]; ++b)
      for (std::int64_t first = 0; first < columns; first += width)
        use(Stretch{b, first, std::min(width, columns - first)});
  }
  // use(first element in x) for the rows that are kept; returns how many.
  template <typename T, typename Use>
  static std::int64_t for_kept(const Frame<T>& f, const Stretch& s, Use use) {
    const std::int64_t rows = f.in(0).shape[1], columns = f.in(0).shape[2];
    std::int64_t count = 0;
    for (std::int64_t n = 0; n < rows; ++n)
      if (f.in(1)[s.example * rows + n] != 0) {
        use((s.example * rows + n) * columns + s.first);
        ++count;
      }
    return count;
  }
  template <typename T>
  static std::int64_t find_means(const Frame<T>& f, const Stretch& s, Row& mean) {
    mean.fill(0);
    const std::int64_t count = for_kept(f, s, [&](std::int64_t row) {
      for (std::int64_t c = 0; c < s.n; ++c) mean[at(c)] += static_cast<double>(f.in(0)[row + c]);
    });
    if (count > 0)
      for (double& value : mean) value /= static_cast<double>(count);
    return count;
  }
  template <typename T>
  static void find_deviations(const Frame<T>& f, const Stretch& s, Row& result) {
    Row mean;
    const std::int64_t count = find_means(f, s, mean);
    result.fill(0);
    for_kept(f, s, [&](std::int64_t row) {
      for (std::int64_t c = 0; c < s.n; ++c) {
        const double d = static_cast<double>(f.in(0)[row + c]) - mean[at(c)];
        result[at(c)] += d * d;
      }
    });
    if (count > 0)
      for (double& value : result)
        value = std::sqrt(value / static_cast<double>(count) + variance_floor);
  }
  template <typename T>
  void find_extremes(const Frame<T>& f, const Stretch& s, Row& result) const {
    const double sign = pool == Pool::max ? 1 : -1;
    result.fill(0);
    bool first = true;
    for_kept(f, s, [&](std::int64_t row) {
      for (std::int64_t c = 0; c < s.n; ++c) {
        const double x = static_cast<double>(f.in(0)[row + c]);
        if (first || sign * x > sign * result[at(c)]) result[at(c)] = x;
      }
      first = false;
    });
  }

  template <typename T>
  void forward(const Frame<T>& f) const {
    for_each_stretch(f, [&](const Stretch& s) {
      Row result;
      if (pool == Pool::mean) (void)find_means(f, s, result);
      else if (pool == Pool::std) find_deviations(f, s, result);
      else find_extremes(f, s, result);
      T* const y = f.output + s.example * f.output_shape[1] + s.first;
      for (std::int64_t c = 0; c < s.n; ++c) y[c] = static_cast<T>(result[at(c)]);
    });
  }

  // The first of equal extremes takes it all.
  template <typename T>
  static void give_to_extremes(const Frame<T>& f, const Stretch& s, T* gradient) {
    const std::int64_t result = s.example * f.output_shape[1] + s.first;
    std::array<bool, width> given{};
    for_kept(f, s, [&](std::int64_t row) {
      for (std::int64_t c = 0; c < s.n; ++c) {
        if (given[at(c)] || f.in(0)[row + c] != f.output[result + c]) continue;
        given[at(c)] = true;
        gradient[row + c] += f.output_gradient[result + c];
      }
    });
  }
  // mean: u / n; std: u (x - mean) / (n y)
  template <typename T>
  void give_to_all(const Frame<T>& f, const Stretch& s, T* gradient) const {
    const std::int64_t result = s.example * f.output_shape[1] + s.first;
    Row mean, share;
    const std::int64_t count = find_means(f, s, mean);
    for (std::int64_t c = 0; c < s.n; ++c) {
      share[at(c)] =
          static_cast<double>(f.output_gradient[result + c]) / static_cast<double>(count);
      if (pool == Pool::std) share[at(c)] /= static_cast<double>(f.output[result + c]);
    }
    for_kept(f, s, [&](std::int64_t row) {
      for (std::int64_t c = 0; c < s.n; ++c) {
        const double d = static_cast<double>(f.in(0)[row + c]) - mean[at(c)];
        gradient[row + c] += static_cast<T>(pool == Pool::std ? share[at(c)] * d : share[at(c)]);
      }
    });
  }
  template <typename T>
  void backward(const Frame<T>& f) const {
    if (f.wants(1)) (void)f.begin_gradient(1);
    if (!f.wants(0)) return;
    T* const gradient = f.begin_gradient(0);
    for_each_stretch(f, [&](const Stretch& s) {
      if (pool == Pool::max || pool == Pool::min) give_to_extremes(f, s, gradient);
      else give_to_all(f, s, gradient);
    });
  }
};

}  // namespace

Var masked_pool(Var x, Var mask, Pool pool) {
  return x.graph().apply(std::make_unique<MaskedPool>(pool), {x, mask});
}

}  // namespace logpx
