// What an operation of the graph is: a shape rule, forward, backward, and what it must keep.
//
// An op is written as a class template over the element type, with forward and backward:
//
//   struct Square final : TypedOp<Square> {
//     const char* name() const override { return "square"; }
//     Shape infer(std::span<const Shape> in) const override { return in[0]; }
//     Keeps keeps() const override { return {.inputs = 1}; }   // bit 0: input 0
//     template <typename T> void forward(const Frame<T>& f) const {
//       for (std::int64_t i = 0; i < f.out().size(); ++i) f.out()[i] = f.in(0)[i] * f.in(0)[i];
//     }
//     template <typename T> void backward(const Frame<T>& f) const {
//       f.add_gradient(0, [&](std::int64_t i) { return 2 * f.in(0)[i] * f.upstream()[i]; });
//     }
//   };
//   Var square(Var x) { return x.graph().apply(std::make_unique<Square>(), {x}); }
#pragma once

#include "libcore/math/repeatable.hpp"
#include "libcore/math/tensor.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace logpx {

enum class Precision { f32, f64 };

// What backward reads; everything else may be released earlier.
struct Keeps {
  std::uint32_t inputs = 0;  // bit i: the values of input i
  bool output = false;
};

// Memory besides inputs and output, in elements of the graph's type.
struct Scratch {
  std::int64_t saved = 0;      // written by forward, read by backward
  std::int64_t workspace = 0;  // lives during one call
};

// Pointers of one call. Gradients that are not wanted are null.
template <typename T>
class Frame {
 public:
  struct Input {
    const void* data = nullptr;  // T, or std::int32_t for an index input
    Shape shape;
    T* gradient = nullptr;
    bool accumulate = false;  // add to the gradient instead of setting it
    std::int64_t read = 0;    // see Op::reads_of_row
  };
  std::vector<Input> inputs;
  T* output = nullptr;
  Shape output_shape;
  const T* output_gradient = nullptr;
  T *saved_data = nullptr, *workspace_data = nullptr;
  Numerics numerics;

  [[nodiscard]] View<const T> in(int i) const {
    return {static_cast<const T*>(input(i).data), input(i).shape};
  }
  [[nodiscard]] View<const std::int32_t> index(int i) const {
    return {static_cast<const std::int32_t*>(input(i).data), input(i).shape};
  }
  [[nodiscard]] View<T> out() const { return {output, output_shape}; }
  [[nodiscard]] View<const T> upstream() const { return {output_gradient, output_shape}; }
  [[nodiscard]] T* saved() const { return saved_data; }
  [[nodiscard]] T* workspace() const { return workspace_data; }

  [[nodiscard]] bool wants(int i) const { return input(i).gradient != nullptr; }
  [[nodiscard]] T* gradient(int i) const { return input(i).gradient; }
  [[nodiscard]] bool accumulates(int i) const { return input(i).accumulate; }
  [[nodiscard]] T beta(int i) const { return accumulates(i) ? T(1) : T(0); }  // for gemm
  // So many numbers from the start of each row of the gradient are read; others may stay as they
  // are.
  [[nodiscard]] std::int64_t read_of_row(int i) const { return input(i).read; }
  // gradient[e] (+)= value(e) for every element of input i, if wanted.
  template <typename Value>
  void add_gradient(int i, Value value) const {
    if (!wants(i)) return;
    T* const to = gradient(i);
    const std::int64_t n = input(i).shape.elements();
    if (accumulates(i))
      for (std::int64_t e = 0; e < n; ++e) to[e] += value(e);
    else
      for (std::int64_t e = 0; e < n; ++e) to[e] = value(e);
  }
  // For scatters: the gradient is zero unless it already holds a sum.
  [[nodiscard]] T* begin_gradient(int i) const {
    T* const to = gradient(i);
    if (!accumulates(i)) std::fill_n(to, input(i).shape.elements(), T(0));
    return to;
  }

 private:
  [[nodiscard]] const Input& input(int i) const { return inputs[static_cast<std::size_t>(i)]; }
};

class Op {
 public:
  virtual ~Op() = default;
  [[nodiscard]] virtual const char* name() const = 0;
  // The shape of the output. A misfit throws a usage error without subject: "[8,256] x [128,10]:
  // inner 256 vs 128"; the graph puts the layer path in front.
  [[nodiscard]] virtual Shape infer(std::span<const Shape> inputs) const = 0;
  [[nodiscard]] virtual Keeps keeps() const { return {}; }
  [[nodiscard]] virtual Scratch scratch(std::span<const Shape>, const Shape&,
                                        const Numerics&) const {
    return {};
  }
  [[nodiscard]] virtual double flops(std::span<const Shape>, const Shape& output) const {
    return static_cast<double>(output.elements());
  }
  // The output may be written over input 0 when that dies here (same shape; forward reads element i
  // before it writes element i).
  [[nodiscard]] virtual bool in_place() const { return false; }
  // How many numbers from the start of each row (the last axis) of the output's gradient backward
  // reads: what comes behind them need not be computed.
  [[nodiscard]] virtual std::int64_t reads_of_row(std::span<const Shape>,
                                                  const Shape& output) const {
    return output.back();
  }
  // False for ops that let no gradient through (stop_gradient, comparisons).
  [[nodiscard]] virtual bool differentiable() const { return true; }

  virtual void run_forward(const Frame<float>& frame) const = 0;
  virtual void run_forward(const Frame<double>& frame) const = 0;
  virtual void run_backward(const Frame<float>& frame) const = 0;
  virtual void run_backward(const Frame<double>& frame) const = 0;
};

template <typename Derived>
class TypedOp : public Op {
 public:
  void run_forward(const Frame<float>& f) const final { self().template forward<float>(f); }
  void run_forward(const Frame<double>& f) const final { self().template forward<double>(f); }
  void run_backward(const Frame<float>& f) const final { self().template backward<float>(f); }
  void run_backward(const Frame<double>& f) const final { self().template backward<double>(f); }

 private:
  const Derived& self() const { return static_cast<const Derived&>(*this); }
};

}  // namespace logpx
