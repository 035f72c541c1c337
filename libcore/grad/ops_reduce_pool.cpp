// Summaries of the rows that a mask keeps.
#include "libcore/grad/ops_reduce.hpp"
#include "libcore/grad/shape_rule.hpp"

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

  // use(b, n) for the rows that are kept; returns how many.
  template <typename T, typename Use>
  static std::int64_t for_kept(const Frame<T>& f, std::int64_t b, Use use) {
    const std::int64_t rows = f.in(0).shape[1];
    std::int64_t count = 0;
    for (std::int64_t n = 0; n < rows; ++n)
      if (f.in(1)[b * rows + n] != 0) {
        use(f.in(0).data + (b * rows + n) * f.in(0).shape[2], n);
        ++count;
      }
    return count;
  }
  template <typename T>
  static double mean_of(const Frame<T>& f, std::int64_t b, std::int64_t c) {
    double sum = 0;
    const std::int64_t count =
        for_kept(f, b, [&](const T* row, std::int64_t) { sum += static_cast<double>(row[c]); });
    return count == 0 ? 0 : sum / static_cast<double>(count);
  }
  [[nodiscard]] bool beats(double x, double best) const {
    return pool == Pool::max ? x > best : x < best;
  }

  template <typename T>
  [[nodiscard]] double summary(const Frame<T>& f, std::int64_t b, std::int64_t c) const {
    const double mean = mean_of(f, b, c);
    if (pool == Pool::mean) return mean;
    double best = 0, squares = 0;
    bool first = true;
    const std::int64_t count = for_kept(f, b, [&](const T* row, std::int64_t) {
      const double x = static_cast<double>(row[c]);
      if (first || beats(x, best)) best = x;
      first = false;
      squares += (x - mean) * (x - mean);
    });
    if (pool != Pool::std) return best;
    return count == 0 ? 0 : std::sqrt(squares / static_cast<double>(count) + variance_floor);
  }

  template <typename T>
  void forward(const Frame<T>& f) const {
    const std::int64_t columns = f.output_shape[1];
    for (std::int64_t b = 0; b < f.output_shape[0]; ++b)
      for (std::int64_t c = 0; c < columns; ++c)
        f.output[b * columns + c] = static_cast<T>(summary(f, b, c));
  }

  template <typename T>
  void backward(const Frame<T>& f) const {
    if (f.wants(1)) (void)f.begin_gradient(1);
    if (!f.wants(0)) return;
    T* const to = f.begin_gradient(0);
    const std::int64_t rows = f.in(0).shape[1], columns = f.output_shape[1];
    for (std::int64_t r = 0; r < f.upstream().size(); ++r) {
      const std::int64_t b = r / columns, c = r % columns;
      const double u = static_cast<double>(f.output_gradient[r]);
      const std::int64_t count = for_kept(f, b, [](const T*, std::int64_t) {});
      const double mean = pool == Pool::std ? mean_of(f, b, c) : 0;
      bool open = true;  // the first of equal extremes takes it all
      for_kept(f, b, [&](const T* row, std::int64_t n) {
        double slope = 1 / static_cast<double>(count);
        if (pool == Pool::std)
          slope *= (static_cast<double>(row[c]) - mean) / static_cast<double>(f.output[r]);
        if (pool == Pool::max || pool == Pool::min) {
          slope = open && row[c] == f.output[r] ? 1 : 0;
          open = open && slope == 0;
        }
        to[(b * rows + n) * columns + c] += static_cast<T>(u * slope);
      });
    }
  }
};

}  // namespace

Var masked_pool(Var x, Var mask, Pool pool) {
  return x.graph().apply(std::make_unique<MaskedPool>(pool), {x, mask});
}

}  // namespace logpx
