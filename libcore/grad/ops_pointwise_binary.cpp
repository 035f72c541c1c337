// Functions of two elements, and the choice between two: a rule holds value and both slopes.
#include "libcore/base/error.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/math/tensor.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>

namespace logpx {
namespace {

// Broadcasting by NumPy's rule: shapes are aligned at the right, a size of 1 (or a missing one)
// repeats. Loops come as few contiguous runs: axes that behave alike are merged.

// Size along an axis of the result, counted from the left.
std::int64_t aligned_size(const Shape& operand, int rank, int axis) {
  const int own = axis - (rank - operand.rank());
  return own < 0 ? 1 : operand[own];
}

// A misfit is a usage error without subject: "[3,4] against [3,5]: 4 vs 5".
Shape broadcast_shape(std::span<const Shape> operands) {
  const Shape* widest = &operands[0];
  for (const Shape& operand : operands)
    if (operand.rank() > widest->rank()) widest = &operand;
  Shape result = *widest;
  for (const Shape& operand : operands)
    for (int axis = 0; axis < result.rank(); ++axis) {
      const std::int64_t size = aligned_size(operand, result.rank(), axis);
      if (result[axis] == 1) result[axis] = size;
      if (size == result[axis] || size == 1) continue;
      std::string shapes;
      for (const Shape& each : operands)
        shapes += (shapes.empty() ? "" : " against ") + each.text();
      fail(ErrorKind::usage, "",
           shapes + ": " + std::to_string(result[axis]) + " vs " + std::to_string(size));
    }
  return result;
}

struct BroadcastLoops {
  static constexpr int max_operands = 3;
  using Offsets = std::array<std::int64_t, max_operands>;
  int rank = 0;
  std::array<std::int64_t, Shape::max_rank> size{};
  std::array<Offsets, Shape::max_rank> stride{};  // 0 where an operand repeats

  // 1: the operand moves along a run; 0: it stays.
  [[nodiscard]] bool moves(int operand) const {
    return stride[static_cast<std::size_t>(rank - 1)][static_cast<std::size_t>(operand)] != 0;
  }
};

BroadcastLoops broadcast_loops(std::span<const Shape> operands, const Shape& result) {
  BroadcastLoops loops;
  BroadcastLoops::Offsets full{};  // elements of each operand right of the axis
  full.fill(1);
  // From the last axis to the first; reversed below.
  for (int axis = result.rank(); axis-- > 0;) {
    if (result[axis] == 1) continue;
    BroadcastLoops::Offsets stride{};
    for (std::size_t k = 0; k < operands.size(); ++k) {
      const std::int64_t size = aligned_size(operands[k], result.rank(), axis);
      stride[k] = size == 1 ? 0 : full[k];
      full[k] *= size;
    }
    const auto top = static_cast<std::size_t>(loops.rank);
    bool merge = loops.rank > 0;
    for (std::size_t k = 0; merge && k < operands.size(); ++k)
      merge = stride[k] == loops.stride[top - 1][k] * loops.size[top - 1];
    if (merge) {
      loops.size[top - 1] *= result[axis];
    } else {
      loops.size[top] = result[axis];
      loops.stride[top] = stride;
      ++loops.rank;
    }
  }
  if (loops.rank == 0) loops.size[static_cast<std::size_t>(loops.rank++)] = 1;
  std::reverse(loops.size.begin(), loops.size.begin() + loops.rank);
  std::reverse(loops.stride.begin(), loops.stride.begin() + loops.rank);
  return loops;
}

// body(first element of the result, first elements of the operands, length of the run)
template <typename Body>
void for_each_run(const BroadcastLoops& loops, Body body) {
  const auto inner = static_cast<std::size_t>(loops.rank - 1);
  const std::int64_t length = loops.size[inner];
  std::int64_t runs = 1;
  for (std::size_t axis = 0; axis < inner; ++axis) runs *= loops.size[axis];
  if (length == 0) return;
  std::array<std::int64_t, Shape::max_rank> at{};
  BroadcastLoops::Offsets offsets{};
  for (std::int64_t run = 0; run < runs; ++run) {
    body(run * length, offsets, length);
    for (std::size_t axis = inner; axis-- > 0;) {
      const bool wraps = ++at[axis] == loops.size[axis];
      const std::int64_t steps = wraps ? 1 - loops.size[axis] : 1;
      for (std::size_t k = 0; k < offsets.size(); ++k) offsets[k] += steps * loops.stride[axis][k];
      if (!wraps) break;
      at[axis] = 0;
    }
  }
}

// result[i] for a run, with the loop written out for each way the two operands move.
template <typename T, typename Store>
void run_over(const T* a, bool a_moves, const T* b, bool b_moves, std::int64_t n, Store store) {
  if (a_moves && b_moves)
    for (std::int64_t i = 0; i < n; ++i) store(i, a[i], b[i]);
  else if (a_moves)
    for (std::int64_t i = 0; i < n; ++i) store(i, a[i], b[0]);
  else if (b_moves)
    for (std::int64_t i = 0; i < n; ++i) store(i, a[0], b[i]);
  else
    for (std::int64_t i = 0; i < n; ++i) store(i, a[0], b[0]);
}

template <typename Rule>
struct Binary final : TypedOp<Binary<Rule>> {
  const char* name() const override { return Rule::name; }
  Shape infer(std::span<const Shape> in) const override { return broadcast_shape(in); }
  Keeps keeps() const override { return {.inputs = Rule::reads_inputs ? 3u : 0u}; }
  bool in_place() const override { return true; }

  template <typename T>
  static BroadcastLoops loops_of(const Frame<T>& f) {
    const std::array<Shape, 2> shapes = {f.inputs[0].shape, f.inputs[1].shape};
    return broadcast_loops(shapes, f.output_shape);
  }

  template <typename T>
  void forward(const Frame<T>& f) const {
    const BroadcastLoops loops = loops_of(f);
    const T *a = f.in(0).data, *b = f.in(1).data;
    for_each_run(loops, [&](std::int64_t first, const auto& at, std::int64_t n) {
      T* const y = f.output + first;
      run_over(a + at[0], loops.moves(0), b + at[1], loops.moves(1), n,
               [y](std::int64_t i, T p, T q) { y[i] = Rule::value(p, q); });
    });
  }

  template <typename T>
  void backward(const Frame<T>& f) const {
    const BroadcastLoops loops = loops_of(f);
    if (f.wants(0)) add_gradient<0>(f, loops);
    if (f.wants(1)) add_gradient<1>(f, loops);
  }

  // Where the operand repeats, its gradient is the sum over what it met.
  template <int K, typename T>
  static void add_gradient(const Frame<T>& f, const BroadcastLoops& loops) {
    const bool whole = f.inputs[K].shape.elements() == f.output_shape.elements();
    const bool sets = whole && !f.accumulates(K);
    T* const gradient = whole ? f.gradient(K) : f.begin_gradient(K);
    // Rules that read no inputs get some readable element instead.
    const T *a = Rule::reads_inputs ? f.in(0).data : f.output_gradient,
            *b = Rule::reads_inputs ? f.in(1).data : f.output_gradient;
    for_each_run(loops, [&](std::int64_t first, const auto& at, std::int64_t n) {
      const T* const u = f.output_gradient + first;
      T* const to = gradient + at[K];
      const auto each = [&](auto store) {
        if constexpr (Rule::reads_inputs)
          run_over(a + at[0], loops.moves(0), b + at[1], loops.moves(1), n, store);
        else run_over(a, false, b, false, n, store);
      };
      if (!loops.moves(K)) {
        double sum = 0;
        each([&](std::int64_t i, T p, T q) { sum += Rule::template slope<K>(u[i], p, q); });
        *to = sets ? static_cast<T>(sum) : *to + static_cast<T>(sum);
      } else if (sets) {
        each([=](std::int64_t i, T p, T q) { to[i] = Rule::template slope<K>(u[i], p, q); });
      } else {
        each([=](std::int64_t i, T p, T q) { to[i] += Rule::template slope<K>(u[i], p, q); });
      }
    });
  }
};

// slope<K>: the upstream gradient u times the derivative by operand K.
struct Add {
  static constexpr const char* name = "add";
  static constexpr bool reads_inputs = false;
  static auto value(auto a, auto b) { return a + b; }
  template <int K>
  static auto slope(auto u, auto, auto) {
    return u;
  }
};

struct Subtract {
  static constexpr const char* name = "subtract";
  static constexpr bool reads_inputs = false;
  static auto value(auto a, auto b) { return a - b; }
  template <int K>
  static auto slope(auto u, auto, auto) {
    return K == 0 ? u : -u;
  }
};

struct Multiply {
  static constexpr const char* name = "multiply";
  static constexpr bool reads_inputs = true;
  static auto value(auto a, auto b) { return a * b; }
  template <int K>
  static auto slope(auto u, auto a, auto b) {
    return K == 0 ? u * b : u * a;
  }
};

struct Divide {
  static constexpr const char* name = "divide";
  static constexpr bool reads_inputs = true;
  static auto value(auto a, auto b) { return a / b; }
  template <int K>
  static auto slope(auto u, auto a, auto b) {
    return K == 0 ? u / b : -u * a / (b * b);
  }
};

struct Minimum {
  static constexpr const char* name = "minimum";
  static constexpr bool reads_inputs = true;
  static auto value(auto a, auto b) { return b < a || b != b ? b : a; }  // nan stays
  template <int K>
  static auto slope(auto u, auto a, auto b) {
    return (b < a) == (K == 1) ? u : 0;
  }
};

struct Maximum {
  static constexpr const char* name = "maximum";
  static constexpr bool reads_inputs = true;
  static auto value(auto a, auto b) { return b > a || b != b ? b : a; }  // nan stays
  template <int K>
  static auto slope(auto u, auto a, auto b) {
    return (b > a) == (K == 1) ? u : 0;
  }
};

struct Where final : TypedOp<Where> {
  const char* name() const override { return "where"; }
  Shape infer(std::span<const Shape> in) const override { return broadcast_shape(in); }
  Keeps keeps() const override { return {.inputs = 1}; }

  template <typename T>
  static BroadcastLoops loops_of(const Frame<T>& f) {
    const std::array<Shape, 3> shapes = {f.inputs[0].shape, f.inputs[1].shape, f.inputs[2].shape};
    return broadcast_loops(shapes, f.output_shape);
  }

  template <typename T>
  void forward(const Frame<T>& f) const {
    const BroadcastLoops loops = loops_of(f);
    const std::int64_t move_mask = loops.moves(0), move_a = loops.moves(1), move_b = loops.moves(2);
    for_each_run(loops, [&](std::int64_t first, const auto& at, std::int64_t n) {
      const T *mask = f.in(0).data + at[0], *a = f.in(1).data + at[1], *b = f.in(2).data + at[2];
      T* const y = f.output + first;
      for (std::int64_t i = 0; i < n; ++i)
        y[i] = mask[i * move_mask] != 0 ? a[i * move_a] : b[i * move_b];
    });
  }

  template <typename T>
  void backward(const Frame<T>& f) const {
    const BroadcastLoops loops = loops_of(f);
    if (f.wants(0)) (void)f.begin_gradient(0);
    for (const int k : {1, 2}) {
      if (!f.wants(k)) continue;
      T* const gradient = f.begin_gradient(k);
      const std::int64_t move_mask = loops.moves(0), move = loops.moves(k);
      for_each_run(loops, [&](std::int64_t first, const auto& at, std::int64_t n) {
        const T* const mask = f.in(0).data + at[0];
        T* const to = gradient + at[static_cast<std::size_t>(k)];
        for (std::int64_t i = 0; i < n; ++i)
          if ((mask[i * move_mask] != 0) == (k == 1)) to[i * move] += f.output_gradient[first + i];
      });
    }
  }
};

template <typename Rule>
Var apply_binary(Var a, Var b) {
  return a.graph().apply(std::make_unique<Binary<Rule>>(), {a, b});
}

}  // namespace

Var add(Var a, Var b) { return apply_binary<Add>(a, b); }
Var subtract(Var a, Var b) { return apply_binary<Subtract>(a, b); }
Var multiply(Var a, Var b) { return apply_binary<Multiply>(a, b); }
Var divide(Var a, Var b) { return apply_binary<Divide>(a, b); }
Var minimum(Var a, Var b) { return apply_binary<Minimum>(a, b); }
Var maximum(Var a, Var b) { return apply_binary<Maximum>(a, b); }
Var where(Var mask, Var a, Var b) {
  return a.graph().apply(std::make_unique<Where>(), {mask, a, b});
}

}  // namespace logpx
