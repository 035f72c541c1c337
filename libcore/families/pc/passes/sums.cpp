#include "libcore/base/index.hpp"
#include "libcore/families/pc/passes/message.hpp"
#include "libcore/families/pc/passes/scaled_numbers.hpp"
#include "libcore/families/pc/pruning/pruned_states.hpp"
#include "libcore/math/column_loops.hpp"
#include "libcore/math/monarch.hpp"

#include <algorithm>
#include <cmath>

namespace logpx::pc {
namespace {

// 2^-by, or 0 where that vanishes beside 1.
template <typename T>
T power_down(std::int64_t by) {
  constexpr std::int64_t least = sizeof(T) == sizeof(float) ? 126 : 1022;
  return by > least ? T{0} : std::ldexp(T{1}, -static_cast<int>(by));
}

// The largest exponent of any child, by column.
template <typename T>
void join_exponents(const Work<T>& work, const Block& block, std::span<std::int64_t> joined) {
  std::ranges::fill(joined, no_exponent);
  for (const int child : block.children)
    for (std::int64_t c = 0; c < work.columns; ++c)
      joined[at(c)] = std::max(joined[at(c)], work.of(child).exponent[c]);
}

// Puts the children one behind the other, in one scale.
template <typename T>
void join_children(const Work<T>& work, int b) {
  const Block& block = work.plan.block(b);
  Message<T>& message = work.of(b);
  join_exponents(work, block, message.input_exponent);
  T* to = message.input.data();
  for (const int child : block.children) {
    const Message<T>& from = work.of(child);
    for (std::int64_t c = 0; c < work.columns; ++c)
      message.factors[at(c)] = power_down<T>(message.input_exponent[at(c)] - from.exponent[c]);
    const T* y = from.y;
    for (std::int64_t j = 0; j < work.plan.block(child).size; ++j, y += work.columns)
      for (std::int64_t c = 0; c < work.columns; ++c) *to++ = y[c] * message.factors[at(c)];
  }
}

// The way back of join_children.
template <typename T>
void part_slopes(const Work<T>& work, int b) {
  const Block& block = work.plan.block(b);
  Message<T>& message = work.of(b);
  const T* slope = work.scratch.data();
  for (const int child : block.children) {
    Message<T>& to = work.of(child);
    for (std::int64_t c = 0; c < work.columns; ++c)
      message.factors[at(c)] = power_down<T>(message.input_exponent[at(c)] - to.exponent[c]);
    T* out = slope_of(to);
    for (std::int64_t j = 0; j < work.plan.block(child).size; ++j, out += work.columns)
      for (std::int64_t c = 0; c < work.columns; ++c) out[c] += *slope++ * message.factors[at(c)];
  }
}

// A sum that other sums read keeps the factors of its scaling behind those of its children.
template <typename T>
std::span<T> own_factors(const Work<T>& work, Message<T>& message) {
  return std::span(message.factors).last(at(work.columns));
}

template <typename T>
void finish_message(const Work<T>& work, int b) {
  Message<T>& message = work.of(b);
  if (!work.plan.rescales(b)) return;
  rescale(std::span(message.y, at(work.plan.block(b).size * work.columns)),
          own_factors(work, message), message.exponent);
}

// Undoes the scaling in the slope, which then is that of the unscaled output.
template <typename T>
void open_slopes(const Work<T>& work, int b) {
  Message<T>& message = work.of(b);
  if (!work.plan.rescales(b)) return;
  column_kernels<T>().scale(message.slope.data(), work.plan.block(b).size, work.columns,
                            own_factors(work, message).data(), largest_slope<T>);
}

// Like MonarchMap::apply_keeping, with the largest product in place of each sum.
template <typename T>
void largest_products(const Work<T>& work, int b, const T* in) {
  Message<T>& message = work.of(b);
  const std::vector<MonarchLayer>& layers = work.plan.form(b).layers();
  T* inner = message.inner.data();
  for (std::size_t t = 0; t < layers.size(); ++t) {
    const MonarchLayer& layer = layers[t];
    const T* weight = work.parameters(b, t);
    T* const out = t + 1 == layers.size() ? message.y : inner;
    for (std::int64_t r = 0; r < layer.blocks; ++r)
      for (std::int64_t j = 0; j < layer.m; ++j) {
        T* const y = out + layer.out_row(r, j) * work.columns;
        std::fill_n(y, work.columns, T{0});
        for (std::int64_t i = 0; i < layer.n; ++i, ++weight) {
          const T* const x = in + layer.in_row(r, i) * work.columns;
          for (std::int64_t c = 0; c < work.columns; ++c) y[c] = std::max(y[c], *weight * x[c]);
        }
      }
    in = out;
    if (out == inner) inner += layer.out_rows() * work.columns;
  }
}

template <typename T>
struct Weights {
  std::vector<const T*> values;
  std::vector<T*> slopes;
  Weights(const Work<T>& work, int b) {
    for (std::size_t t = 0; t < work.plan.tensors(b).size(); ++t) {
      values.push_back(work.parameters(b, t));
      if (!work.slopes.empty()) slopes.push_back(work.parameter_slopes(b, t));
    }
  }
};

}  // namespace

template <typename T>
void sum_message(const Work<T>& work, int b) {
  const Block& block = work.plan.block(b);
  Message<T>& message = work.of(b);
  const Weights<T> weights(work, b);
  const MonarchMap<T> map(work.plan.form(b), weights.values, work.columns, work.room);
  const bool joined = block.children.size() > 1;
  if (joined) join_children(work, b);
  const Message<T>& only = work.of(block.children[0]);
  const T* const input = joined ? message.input.data() : only.y;
  std::copy_n(joined ? message.input_exponent.data() : only.exponent, work.columns,
              message.exponent);
  if (work.over == Over::largest) largest_products(work, b, input);
  else if (work.pruned != nullptr) work.pruned->apply_sum(work, b, input);
  else if (message.inner.empty()) map.apply(input, message.y);
  else map.apply_keeping(input, message.inner.data(), message.y);
  finish_message(work, b);
}

template <typename T>
void sum_slopes(const Work<T>& work, int b) {
  const Block& block = work.plan.block(b);
  Message<T>& message = work.of(b);
  const Weights<T> weights(work, b);
  const MonarchMap<T> map(work.plan.form(b), weights.values, work.columns, work.room);
  open_slopes(work, b);
  const bool joined = block.children.size() > 1;
  Message<T>& only = work.of(block.children[0]);
  const bool direct = !joined && !only.sloped;
  T* const adjoint = direct ? only.slope.data() : work.scratch.data();
  if (weights.slopes.empty()) map.apply_transposed(message.slope.data(), adjoint);
  else
    map.add_products({.in = joined ? message.input.data() : only.y,
                      .inner = message.inner.empty() ? nullptr : message.inner.data(),
                      .gradient = message.slope.data(),
                      .products = weights.slopes,
                      .adjoint = adjoint});
  if (direct) only.sloped = true;
  else if (joined) part_slopes(work, b);
  else column_kernels<T>().add(adjoint, only.slope.data(), std::ssize(only.slope));
}

template <typename T>
void mixing_message(const Work<T>& work, int b) {
  const Block& block = work.plan.block(b);
  Message<T>& message = work.of(b);
  join_children(work, b);
  std::ranges::copy(message.input_exponent, message.exponent);
  const auto parts = std::ssize(block.children);
  const std::int64_t part = block.size * work.columns;
  const T* const w = work.parameters(b);
  std::fill_n(message.y, part, T{0});
  for (std::int64_t j = 0; j < block.size; ++j)
    for (std::int64_t i = 0; i < parts; ++i) {
      const T* const in = message.input.data() + i * part + j * work.columns;
      T* const y = message.y + j * work.columns;
      const T weight = w[j * parts + i];
      for (std::int64_t c = 0; c < work.columns; ++c)
        y[c] = work.over == Over::sums ? y[c] + weight * in[c] : std::max(y[c], weight * in[c]);
    }
  finish_message(work, b);
}

template <typename T>
void mixing_slopes(const Work<T>& work, int b) {
  const Block& block = work.plan.block(b);
  Message<T>& message = work.of(b);
  open_slopes(work, b);
  const auto parts = std::ssize(block.children);
  const std::int64_t part = block.size * work.columns;
  const T* const w = work.parameters(b);
  T* const to = work.slopes.empty() ? nullptr : work.parameter_slopes(b);
  for (std::int64_t j = 0; j < block.size; ++j)
    for (std::int64_t i = 0; i < parts; ++i) {
      const std::int64_t row = i * part + j * work.columns;
      const T* const slope = message.slope.data() + j * work.columns;
      T sum = 0;
      for (std::int64_t c = 0; c < work.columns; ++c) {
        sum += slope[c] * message.input[at(row + c)];
        work.scratch[at(row + c)] = w[j * parts + i] * slope[c];
      }
      if (to != nullptr) to[j * parts + i] += sum;
    }
  part_slopes(work, b);
}

template void sum_message(const Work<float>&, int);
template void sum_message(const Work<double>&, int);
template void sum_slopes(const Work<float>&, int);
template void sum_slopes(const Work<double>&, int);
template void mixing_message(const Work<float>&, int);
template void mixing_message(const Work<double>&, int);
template void mixing_slopes(const Work<float>&, int);
template void mixing_slopes(const Work<double>&, int);

}  // namespace logpx::pc
