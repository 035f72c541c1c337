// By index inputs: embedding, one_hot, take_along.
#include "libcore/base/error.hpp"
#include "libcore/grad/axes.hpp"
#include "libcore/grad/ops_index.hpp"

#include <algorithm>
#include <memory>

namespace logpx {
namespace {

// Sizes of `a` followed by those of `b`.
Shape joined(std::span<const std::int64_t> a, std::span<const std::int64_t> b) {
  std::array<std::int64_t, Shape::max_rank> sizes{};
  if (a.size() + b.size() > sizes.size())
    fail(ErrorKind::usage, "", Shape(a).text() + " and " + Shape(b).text() + ": at most 5 axes");
  std::copy(b.begin(), b.end(), std::copy(a.begin(), a.end(), sizes.begin()));
  return Shape(std::span<const std::int64_t>(sizes).first(a.size() + b.size()));
}

std::int64_t checked(std::int32_t index, std::int64_t limit) {
  LOGPX_ASSERT(0 <= index && index < limit);
  return index;
}

struct Embedding final : TypedOp<Embedding> {
  const char* name() const override { return "embedding"; }
  Shape infer(std::span<const Shape> in) const override {
    expect_fit(in[0].rank() >= 1, in, "expected a table [V,...]");
    return joined(in[1].sizes(), in[0].sizes().subspan(1));
  }
  Keeps keeps() const override { return {.inputs = 2}; }

  template <typename T>
  void forward(const Frame<T>& f) const {
    const std::int64_t rows = f.in(0).shape[0];
    const std::int64_t row = rows == 0 ? 0 : f.in(0).size() / rows;
    for (std::int64_t i = 0; i < f.index(1).size(); ++i)
      std::copy_n(f.in(0).data + checked(f.index(1)[i], rows) * row, row, f.output + i * row);
  }
  template <typename T>
  void backward(const Frame<T>& f) const {
    if (!f.wants(0)) return;
    const std::int64_t rows = f.inputs[0].shape[0];
    const std::int64_t row = rows == 0 ? 0 : f.inputs[0].shape.elements() / rows;
    T* const to = f.begin_gradient(0);
    for (std::int64_t i = 0; i < f.index(1).size(); ++i) {
      T* const place = to + checked(f.index(1)[i], rows) * row;
      const T* const u = f.output_gradient + i * row;
      for (std::int64_t c = 0; c < row; ++c) place[c] += u[c];
    }
  }
};

struct OneHot final : TypedOp<OneHot> {
  std::int64_t classes;
  explicit OneHot(std::int64_t c) : classes(c) {}
  const char* name() const override { return "one_hot"; }
  Shape infer(std::span<const Shape> in) const override {
    return joined(in[0].sizes(), std::span(&classes, 1));
  }
  bool differentiable() const override { return false; }

  template <typename T>
  void forward(const Frame<T>& f) const {
    std::fill_n(f.output, f.out().size(), T(0));
    for (std::int64_t i = 0; i < f.index(0).size(); ++i)
      f.output[i * classes + checked(f.index(0)[i], classes)] = 1;
  }
  template <typename T>
  void backward(const Frame<T>&) const {}
};

struct TakeAlong final : TypedOp<TakeAlong> {
  const char* name() const override { return "take_along"; }
  Shape infer(std::span<const Shape> in) const override {
    const bool fits = in[0].rank() >= 1 && in[0].rank() == in[1].rank() &&
                      std::ranges::equal(in[0].sizes().first(in[0].sizes().size() - 1),
                                         in[1].sizes().first(in[0].sizes().size() - 1));
    expect_fit(fits, in, "leading axes differ");
    return in[1];
  }
  Keeps keeps() const override { return {.inputs = 2}; }

  template <typename T>
  void forward(const Frame<T>& f) const {
    const std::int64_t n = f.in(0).shape.back(), k = f.output_shape.back();
    for (std::int64_t i = 0; i < f.out().size(); ++i)
      f.output[i] = f.in(0)[i / k * n + checked(f.index(1)[i], n)];
  }
  template <typename T>
  void backward(const Frame<T>& f) const {
    if (!f.wants(0)) return;
    const std::int64_t n = f.inputs[0].shape.back(), k = f.output_shape.back();
    T* const to = f.begin_gradient(0);
    for (std::int64_t i = 0; i < f.upstream().size(); ++i)
      to[i / k * n + checked(f.index(1)[i], n)] += f.output_gradient[i];
  }
};

}  // namespace

Var embedding(Var weight, Var index) {
  return weight.graph().apply(std::make_unique<Embedding>(), {weight, index});
}
Var one_hot(Var index, std::int64_t classes) {
  return index.graph().apply(std::make_unique<OneHot>(classes), {index});
}
Var take_along(Var x, Var index) {
  return x.graph().apply(std::make_unique<TakeAlong>(), {x, index});
}

}  // namespace logpx
