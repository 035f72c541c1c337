// Copies in another layout. All but concat are one op: runs of consecutive elements, listed by a
// rule once for forward and, read backwards, for the gradient.
#include "libcore/grad/axes.hpp"
#include "libcore/grad/ops_index.hpp"

#include <algorithm>
#include <array>
#include <memory>

namespace logpx {
namespace {

// A rule has: name; shape(in); runs(in, use), which calls use(from, to, length) for every run.
// Elements of the output that no run writes are zero; elements of the input may be read repeatedly.
template <typename Rule>
struct Layout final : TypedOp<Layout<Rule>> {
  Rule rule;
  explicit Layout(Rule r) : rule(r) {}
  const char* name() const override { return Rule::name; }
  Shape infer(std::span<const Shape> in) const override { return rule.shape(in[0]); }

  template <typename T>
  void forward(const Frame<T>& f) const {
    if constexpr (Rule::leaves_zeros) std::fill_n(f.output, f.out().size(), T(0));
    const T* const x = f.in(0).data;
    rule.runs(f.inputs[0].shape, [&](std::int64_t from, std::int64_t to, std::int64_t length) {
      for (std::int64_t i = 0; i < length; ++i) f.output[to + i] = x[from + i];
    });
  }
  template <typename T>
  void backward(const Frame<T>& f) const {
    if (!f.wants(0)) return;
    T* const gradient = f.begin_gradient(0);
    const T* const u = f.output_gradient;
    rule.runs(f.inputs[0].shape, [&](std::int64_t from, std::int64_t to, std::int64_t length) {
      for (std::int64_t i = 0; i < length; ++i) gradient[from + i] += u[to + i];
    });
  }
};

template <typename Rule>
Var apply_layout(Var x, Rule rule) {
  return x.graph().apply(std::make_unique<Layout<Rule>>(rule), {x});
}

struct Slice {
  static constexpr const char* name = "slice";
  static constexpr bool leaves_zeros = false;
  int axis;
  std::int64_t begin, end;
  [[nodiscard]] Shape shape(const Shape& x) const {
    expect_fit(0 <= begin && begin <= end && end <= x[axis], std::span(&x, 1),
               "no entries " + std::to_string(begin) + " to " + std::to_string(end) + " of axis " +
                   std::to_string(axis));
    Shape part = x;
    part[axis] = end - begin;
    return part;
  }
  void runs(const Shape& x, auto use) const {
    const AxisLoops l = around_axis(x, axis);
    const std::int64_t length = (end - begin) * l.inner;
    for (std::int64_t o = 0; o < l.outer; ++o) use((o * l.n + begin) * l.inner, o * length, length);
  }
};

struct Permute {
  static constexpr const char* name = "permute";
  static constexpr bool leaves_zeros = false;
  int rank;
  std::array<int, Shape::max_rank> order;
  [[nodiscard]] Shape shape(const Shape& x) const {
    Shape y = x;
    std::array<bool, Shape::max_rank> seen{};
    for (int i = 0; i < rank; ++i) {
      const int axis = order[static_cast<std::size_t>(i)];
      expect_fit(
          rank == x.rank() && 0 <= axis && axis < rank && !seen[static_cast<std::size_t>(axis)],
          std::span(&x, 1), "the order of axes is no permutation of its axes");
      seen[static_cast<std::size_t>(axis)] = true;
      y[i] = x[axis];
    }
    expect_fit(rank == x.rank(), std::span(&x, 1), "the order names too few axes");
    return y;
  }
  // An odometer over the output; a last axis that stays gives runs, else elements.
  void runs(const Shape& x, auto use) const {
    std::array<std::int64_t, Shape::max_rank> size{}, stride{}, at{};
    std::array<std::int64_t, Shape::max_rank> own{};
    std::int64_t step = 1;
    for (int axis = rank; axis-- > 0; step *= x[axis]) own[static_cast<std::size_t>(axis)] = step;
    const auto last = static_cast<std::size_t>(rank == 0 ? 0 : rank - 1);
    for (std::size_t i = 0; i < static_cast<std::size_t>(rank); ++i) {
      size[i] = x[order[i]];
      stride[i] = own[static_cast<std::size_t>(order[i])];
    }
    const bool whole_rows = rank > 0 && stride[last] == 1;
    const std::int64_t length = rank == 0 ? 1 : size[last];
    const std::int64_t lines = length == 0 ? 0 : x.elements() / length;
    std::int64_t from = 0;
    for (std::int64_t line = 0; line < lines; ++line) {
      if (whole_rows) use(from, line * length, length);
      else
        for (std::int64_t i = 0; i < length; ++i)
          use(from + i * stride[last], line * length + i, 1);
      for (std::size_t axis = last; axis-- > 0;) {
        from += stride[axis];
        if (++at[axis] < size[axis]) break;
        from -= size[axis] * stride[axis];
        at[axis] = 0;
      }
    }
  }
};

struct Repeat {
  static constexpr const char* name = "repeat";
  static constexpr bool leaves_zeros = false;
  int axis;
  std::int64_t times;
  [[nodiscard]] Shape shape(const Shape& x) const {
    Shape y = x;
    y[axis] *= times;
    return y;
  }
  void runs(const Shape& x, auto use) const {
    const AxisLoops l = around_axis(x, axis);
    for (std::int64_t i = 0; i < l.outer * l.n; ++i)
      for (std::int64_t t = 0; t < times; ++t) use(i * l.inner, (i * times + t) * l.inner, l.inner);
  }
};

struct Tile {
  static constexpr const char* name = "tile";
  static constexpr bool leaves_zeros = false;
  int axis;
  std::int64_t times;
  [[nodiscard]] Shape shape(const Shape& x) const {
    Shape y = x;
    y[axis] *= times;
    return y;
  }
  void runs(const Shape& x, auto use) const {
    const AxisLoops l = around_axis(x, axis);
    const std::int64_t length = l.n * l.inner;
    for (std::int64_t o = 0; o < l.outer; ++o)
      for (std::int64_t t = 0; t < times; ++t) use(o * length, (o * times + t) * length, length);
  }
};

struct Flip {
  static constexpr const char* name = "flip";
  static constexpr bool leaves_zeros = false;
  int axis;
  [[nodiscard]] Shape shape(const Shape& x) const { return x; }
  void runs(const Shape& x, auto use) const {
    const AxisLoops l = around_axis(x, axis);
    for (std::int64_t o = 0; o < l.outer; ++o)
      for (std::int64_t j = 0; j < l.n; ++j)
        use((o * l.n + j) * l.inner, (o * l.n + l.n - 1 - j) * l.inner, l.inner);
  }
};

// use(pair, i, j) for all pairs i < j, row by row.
void for_each_pair(std::int64_t n, auto use) {
  std::int64_t pair = 0;
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = i + 1; j < n; ++j) use(pair++, i, j);
}

struct TriangularUnpack {
  static constexpr const char* name = "triangular_unpack";
  static constexpr bool leaves_zeros = true;
  std::int64_t n;
  [[nodiscard]] Shape shape(const Shape& x) const {
    expect_fit(x.rank() == 3 && x[1] == n * (n - 1) / 2, std::span(&x, 1),
               "expected [B," + std::to_string(n * (n - 1) / 2) + ",C] for n " + std::to_string(n));
    return {x[0], n, n, x[2]};
  }
  void runs(const Shape& x, auto use) const {
    const std::int64_t c = x[2];
    for (std::int64_t b = 0; b < x[0]; ++b)
      for_each_pair(n, [&](std::int64_t pair, std::int64_t i, std::int64_t j) {
        use((b * x[1] + pair) * c, ((b * n + i) * n + j) * c, c);
        use((b * x[1] + pair) * c, ((b * n + j) * n + i) * c, c);
      });
  }
};

struct TriangularPack {
  static constexpr const char* name = "triangular_pack";
  static constexpr bool leaves_zeros = false;
  [[nodiscard]] Shape shape(const Shape& x) const {
    expect_fit(x.rank() == 4 && x[1] == x[2], std::span(&x, 1), "expected [B,n,n,C]");
    return {x[0], x[1] * (x[1] - 1) / 2, x[3]};
  }
  void runs(const Shape& x, auto use) const {
    const std::int64_t n = x[1], c = x[3], pairs = n * (n - 1) / 2;
    for (std::int64_t b = 0; b < x[0]; ++b)
      for_each_pair(n, [&](std::int64_t pair, std::int64_t i, std::int64_t j) {
        use(((b * n + i) * n + j) * c, (b * pairs + pair) * c, c);
      });
  }
};

struct Concat final : TypedOp<Concat> {
  int axis;
  explicit Concat(int a) : axis(a) {}
  const char* name() const override { return "concat"; }
  Shape infer(std::span<const Shape> in) const override {
    Shape y = in[0];
    for (const Shape& part : in.subspan(1)) {
      bool fits = part.rank() == y.rank();
      for (int a = 0; fits && a < y.rank(); ++a) fits = a == axis || part[a] == y[a];
      expect_fit(fits, in, "axes other than " + std::to_string(axis) + " differ");
      y[axis] += part[axis];
    }
    return y;
  }

  // use(part, first element in the output, length) per outer index; parts lie side by side.
  template <typename T>
  void for_each_part(const Frame<T>& f, auto use) const {
    const AxisLoops l = around_axis(f.output_shape, axis);
    std::int64_t place = 0;
    for (std::size_t k = 0; k < f.inputs.size(); ++k) {
      const std::int64_t length = f.inputs[k].shape[axis] * l.inner;
      for (std::int64_t o = 0; o < l.outer; ++o)
        use(static_cast<int>(k), o * length, o * l.n * l.inner + place, length);
      place += length;
    }
  }
  template <typename T>
  void forward(const Frame<T>& f) const {
    for_each_part(f, [&](int k, std::int64_t from, std::int64_t to, std::int64_t length) {
      std::copy_n(f.in(k).data + from, length, f.output + to);
    });
  }
  template <typename T>
  void backward(const Frame<T>& f) const {
    for_each_part(f, [&](int k, std::int64_t from, std::int64_t to, std::int64_t length) {
      if (!f.wants(k)) return;
      T* const gradient = f.gradient(k) + from;
      const T* const u = f.output_gradient + to;
      const bool add = f.accumulates(k);
      for (std::int64_t i = 0; i < length; ++i) gradient[i] = add ? gradient[i] + u[i] : u[i];
    });
  }
};

}  // namespace

Var concat(const std::vector<Var>& parts, int axis) {
  const int at = resolved_axis(parts.at(0).shape(), axis);
  return parts[0].graph().apply(std::make_unique<Concat>(at), parts);
}
Var slice(Var x, int axis, std::int64_t begin, std::int64_t end) {
  return apply_layout(x, Slice{resolved_axis(x.shape(), axis), begin, end});
}
std::vector<Var> split(Var x, int axis, const std::vector<std::int64_t>& sizes) {
  std::vector<Var> parts;
  std::int64_t begin = 0;
  for (const std::int64_t size : sizes) {
    parts.push_back(slice(x, axis, begin, begin + size));
    begin += size;
  }
  expect_fit(begin == x.shape()[resolved_axis(x.shape(), axis)], std::span(&x.shape(), 1),
             "the parts of a split hold " + std::to_string(begin) + " entries");
  return parts;
}
Var permute(Var x, const std::vector<int>& order) {
  Permute rule{static_cast<int>(order.size()), {}};
  expect_fit(order.size() <= rule.order.size(), std::span(&x.shape(), 1), "has fewer axes");
  std::copy(order.begin(), order.end(), rule.order.begin());
  return apply_layout(x, rule);
}
Var repeat(Var x, int axis, std::int64_t times) {
  return apply_layout(x, Repeat{resolved_axis(x.shape(), axis), times});
}
Var tile(Var x, int axis, std::int64_t times) {
  return apply_layout(x, Tile{resolved_axis(x.shape(), axis), times});
}
Var flip(Var x, int axis) { return apply_layout(x, Flip{resolved_axis(x.shape(), axis)}); }
Var triangular_unpack(Var pairs, std::int64_t n) {
  return apply_layout(pairs, TriangularUnpack{n});
}
Var triangular_pack(Var square) { return apply_layout(square, TriangularPack{}); }

}  // namespace logpx
