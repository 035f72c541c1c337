// Ops made of one function of several operands, summed over the axes that follow the first `kept`
// ones (none: element by element): densities, divergences, reparameterised draws.
//
// All operands have the shape of the widest or a suffix of it, then they repeat: x [M,D] under
// logits [L,M,D], one log-variance for all. A rule holds
//   name, operands, in_double            in_double: computed in double whatever the graph's type
//   value(block, y)                      y[i] for block.n elements
//   slopes(block, d)                     d[k][i] = dy[i] / d operand k
#pragma once

#include "libcore/grad/axes.hpp"
#include "libcore/grad/graph.hpp"
#include "libcore/grad/operand_blocks.hpp"

#include <memory>
#include <type_traits>

namespace logpx {

template <typename Rule>
class RowFunction final : public TypedOp<RowFunction<Rule>> {
 public:
  RowFunction(Rule rule, int kept) : rule_(std::move(rule)), kept_(kept) {}
  const char* name() const override { return Rule::name; }

  Shape infer(std::span<const Shape> in) const override {
    const Shape full = widest(in);
    for (const Shape& shape : in) {
      const int missing = full.rank() - shape.rank();
      bool fits = true;
      for (int axis = 0; axis < shape.rank(); ++axis)
        fits = fits && shape[axis] == full[axis + missing];
      expect_fit(fits, in, shape.text() + " does not repeat in " + full.text());
    }
    expect_fit(0 <= kept_ && kept_ <= full.rank(), in,
               "has no " + std::to_string(kept_) + " leading axes");
    return Shape(full.sizes().first(static_cast<std::size_t>(kept_)));
  }
  Keeps keeps() const override { return {.inputs = (1u << Rule::operands) - 1}; }
  double flops(std::span<const Shape> in, const Shape&) const override {
    return 10.0 * static_cast<double>(widest(in).elements());
  }

  template <typename T>
  void forward(const Frame<T>& f) const {
    for_each_block(f, [&](const auto& block, std::int64_t, const Place& place) {
      using C = Computed<T>;
      elementwise::Run<C> y;
      rule_.value(block, std::span(y).first(block.n));
      if (place.length == 1) {
        for (std::size_t i = 0; i < block.n; ++i)
          f.output[place.row + static_cast<std::int64_t>(i)] = static_cast<T>(y[i]);
        return;
      }
      const double sum = row_sum(static_cast<std::int64_t>(block.n),
                                 [&](std::int64_t i) { return y[static_cast<std::size_t>(i)]; });
      place.sum = place.first_of_row ? sum : place.sum + sum;
      f.output[place.row] = static_cast<T>(place.sum);
    });
  }

  template <typename T>
  void backward(const Frame<T>& f) const {
    for (std::size_t k = 0; k < Rule::operands; ++k)
      if (const int i = static_cast<int>(k); f.wants(i) && repeats(f, k)) (void)f.begin_gradient(i);
    for_each_block(f, [&](const auto& block, std::int64_t first, const Place& place) {
      using C = Computed<T>;
      std::array<elementwise::Run<C>, Rule::operands> runs;
      OperandSlopes<C> d;
      for (std::size_t k = 0; k < Rule::operands; ++k) d[k] = std::span(runs[k]).first(block.n);
      rule_.slopes(block, d);
      const T* const u = f.output_gradient + place.row;
      const std::size_t next = place.length == 1 ? 1 : 0;
      for (std::size_t k = 0; k < Rule::operands; ++k) {
        const int operand = static_cast<int>(k);
        if (!f.wants(operand)) continue;
        for (std::size_t i = 0; i < block.n; ++i) d[k][i] *= static_cast<C>(u[i * next]);
        add_slopes<T, C>(f, k, first, d[k]);
      }
    });
  }

 private:
  template <typename T>
  using Computed = std::conditional_t<Rule::in_double, double, T>;
  struct Place {
    std::int64_t row = 0, length = 0;
    bool first_of_row = false;
    mutable double sum = 0;
  };

  // use(block of operands, its first element, where its results go). A sum over nothing is 0.
  template <typename T, typename Use>
  static void for_each_block(const Frame<T>& f, Use use) {
    using C = Computed<T>;
    const std::int64_t elements = full_elements(f), rows = f.output_shape.elements();
    if (elements == 0) {
      if (f.output_gradient == nullptr) std::fill_n(f.output, rows, T(0));
      return;
    }
    Place place{.length = elements / rows};
    const std::int64_t stretch = place.length == 1 ? elements : place.length;
    std::array<elementwise::Run<C>, Rule::operands> copies;
    for (std::int64_t start = 0; start < elements; start += stretch) {
      place.first_of_row = true;
      elementwise::in_blocks(static_cast<std::size_t>(stretch), [&](std::size_t at, std::size_t n) {
        const std::int64_t first = start + static_cast<std::int64_t>(at);
        OperandBlock<C> block{.n = n};
        for (std::size_t k = 0; k < Rule::operands; ++k)
          block.data[k] = load_operand<T, C>(f, k, first, std::span(copies[k]).first(n));
        place.row = place.length == 1 ? first : start / stretch;
        use(block, first, place);
        place.first_of_row = false;
      });
    }
  }

  Rule rule_;
  int kept_;
};

template <typename Rule>
[[nodiscard]] Var row_function(Rule rule, const std::vector<Var>& operands, int kept) {
  return operands[0].graph().apply(std::make_unique<RowFunction<Rule>>(std::move(rule), kept),
                                   operands);
}

}  // namespace logpx
