#include "libcore/grad/ops_context.hpp"

#include "libcore/base/error.hpp"
#include "libcore/grad/axes.hpp"

#include <algorithm>
#include <utility>

namespace logpx {
namespace {

class WithContext final : public TypedOp<WithContext> {
 public:
  explicit WithContext(std::shared_ptr<const ContextTable> table) : table_(std::move(table)) {}

  const char* name() const override { return "with_context"; }
  Shape infer(std::span<const Shape> in) const override {
    const bool fits = in[0].rank() == 4 && in[1].rank() == 2 && in[0][1] == in[1][0] &&
                      in[0][2] == table_->pixels && in[1][1] == table_->dims();
    expect_fit(fits, in, "expected features [L,M,pixels,F] and x [M,D]");
    expect_fit(in.size() == 2 || (in[2].rank() == 2 && in[2][0] == in[1][0]), in,
               "expected dimensions [M,K]");
    const std::int64_t taken = in.size() == 2 ? table_->dims() : in[2][1];
    return {in[0][0], in[0][1], taken, in[0][3] + table_->width()};
  }
  Keeps keeps() const override { return {.inputs = 4}; }
  std::int64_t reads_of_row(std::span<const Shape> in, const Shape&) const override {
    return in[0][3];
  }

  template <typename T>
  void forward(const Frame<T>& f) const {
    const std::int64_t features = f.in(0).shape[3], width = table_->width();
    const T* const x = f.in(1).data;
    T* to = f.output;
    for_each(f, [&](const Place& place) {
      std::copy_n(f.in(0).data + place.pixel * features, features, to);
      table_->read(x + place.row * table_->dims(), place.dim, to + features);
      to += features + width;
    });
  }
  template <typename T>
  void backward(const Frame<T>& f) const {
    if (f.wants(1)) (void)f.begin_gradient(1);
    if (!f.wants(0)) return;
    const std::int64_t features = f.inputs[0].shape[3], width = table_->width();
    T* const sums = f.begin_gradient(0);
    const T* up = f.output_gradient;
    for_each(f, [&](const Place& place) {
      T* const own = sums + place.pixel * features;
      for (std::int64_t i = 0; i < features; ++i) own[i] += up[i];
      up += features + width;
    });
  }

 private:
  struct Place {
    std::int64_t row = 0, dim = 0, pixel = 0;  // the pixel among those of all copies and rows
  };
  // In the order of the result.
  template <typename T, typename Use>
  void for_each(const Frame<T>& f, Use use) const {
    const std::int64_t copies = f.output_shape[0], rows = f.output_shape[1],
                       taken = f.output_shape[2];
    const bool all = f.inputs.size() == 2;
    for (std::int64_t l = 0; l < copies; ++l)
      for (std::int64_t m = 0; m < rows; ++m)
        for (std::int64_t k = 0; k < taken; ++k) {
          const std::int64_t dim = all ? k : f.index(2)[m * taken + k];
          LOGPX_DCHECK(0 <= dim && dim < table_->dims());
          use(Place{m, dim, (l * rows + m) * table_->pixels + dim % table_->pixels});
        }
  }

  std::shared_ptr<const ContextTable> table_;
};

}  // namespace

Var with_context(Var features, Var x, std::shared_ptr<const ContextTable> table,
                 std::optional<Var> dims) {
  std::vector<Var> inputs = {features, x};
  if (dims) inputs.push_back(*dims);
  return features.graph().apply(std::make_unique<WithContext>(std::move(table)), inputs);
}

}  // namespace logpx
