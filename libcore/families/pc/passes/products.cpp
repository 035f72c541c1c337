#include "libcore/base/index.hpp"
#include "libcore/families/pc/passes/message.hpp"
#include "libcore/math/column_loops.hpp"

#include <algorithm>

namespace logpx::pc {
namespace {

// A product is taken child by child: r_0 = child 0, r_i = r_{i-1} child_i, scaled. On the way back
// the slope of r_i times r_{i-1} is that of child i, and times child i that of r_{i-1}. Nothing is
// divided, so children may be 0.
template <typename T>
struct Stages {
  const Work<T>& work;
  const Block& block;
  Message<T>& message;
  std::vector<std::int64_t> sizes;   // nodes of r_i
  std::vector<std::int64_t> places;  // of r_1 .. r_{m-2} in message.input, in nodes

  Stages(const Work<T>& w, int b) : work(w), block(w.plan.block(b)), message(w.of(b)) {
    std::int64_t place = 0;
    for (std::size_t i = 0; i < block.children.size(); ++i) {
      const std::int64_t size = w.plan.block(block.children[i]).size;
      const bool grows = i > 0 && block.product == ProductKind::kronecker;
      sizes.push_back(grows ? sizes.back() * size : size);
      places.push_back(place);
      if (i > 0) place += sizes.back();
    }
  }
  [[nodiscard]] std::size_t last() const { return sizes.size() - 1; }
  [[nodiscard]] const Message<T>& child(std::size_t i) const { return work.of(block.children[i]); }
  [[nodiscard]] T* stage(std::size_t i) const {
    if (i == last()) return message.y;
    return message.input.data() + places[i] * work.columns;
  }
  [[nodiscard]] const T* before(std::size_t i) const { return i == 1 ? child(0).y : stage(i - 1); }
  [[nodiscard]] std::span<T> factors(std::size_t i) const {
    return std::span(message.factors).subspan(i * at(work.columns), at(work.columns));
  }
  [[nodiscard]] std::span<T> all_of(T* y, std::size_t i) const {
    return {y, at(sizes[i] * work.columns)};
  }
};

// out = a c: node by node, or each node of a with every node of c.
template <typename T>
void multiply(const Stages<T>& stages, std::size_t i) {
  const std::int64_t columns = stages.work.columns;
  const T *const a = stages.before(i), *const c = stages.child(i).y;
  T* out = stages.stage(i);
  if (stages.block.product == ProductKind::hadamard)
    return column_kernels<T>().multiply(a, c, out, stages.sizes[i] * columns);
  const std::int64_t inner = stages.sizes[i] / stages.sizes[i - 1];
  for (std::int64_t j = 0; j < stages.sizes[i - 1]; ++j)
    for (std::int64_t k = 0; k < inner; ++k, out += columns)
      for (std::int64_t b = 0; b < columns; ++b) out[b] = a[j * columns + b] * c[k * columns + b];
}

// Undoes the scaling of r_i in its slope.
template <typename T>
void open_slope(const Stages<T>& stages, std::size_t i, T* slope) {
  column_kernels<T>().scale(slope, stages.sizes[i], stages.work.columns, stages.factors(i).data(),
                            largest_slope<T>);
}

// From the slope of r_i to those of r_{i-1} (`down`, set) and child i (added).
template <typename T>
void part_kronecker(const Stages<T>& stages, std::size_t i, T* slope, T* down) {
  open_slope(stages, i, slope);
  const std::int64_t columns = stages.work.columns;
  const T *const a = stages.before(i), *const c = stages.child(i).y;
  T* const to = slope_of(stages.work.of(stages.block.children[i]));
  const std::int64_t inner = stages.sizes[i] / stages.sizes[i - 1];
  std::fill_n(down, stages.sizes[i - 1] * columns, T{0});
  for (std::int64_t j = 0; j < stages.sizes[i - 1]; ++j)
    for (std::int64_t k = 0; k < inner; ++k, slope += columns)
      for (std::int64_t b = 0; b < columns; ++b) {
        to[k * columns + b] += slope[b] * a[j * columns + b];
        down[j * columns + b] += slope[b] * c[k * columns + b];
      }
}

// The same, node by node. If r_{i-1} is child 0, its slope is added to, like that of child i.
template <typename T>
void part_hadamard(const Stages<T>& stages, std::size_t i, const T* slope, T* down) {
  Message<T>&first = stages.work.of(stages.block.children[0]),
  &child = stages.work.of(stages.block.children[i]);
  column_kernels<T>().part({.rows = stages.sizes[i],
                            .columns = stages.work.columns,
                            .slope = slope,
                            .factors = stages.factors(i).data(),
                            .most = largest_slope<T>,
                            .a = stages.before(i),
                            .b = child.y,
                            .of_a = i == 1 ? first.slope.data() : down,
                            .of_b = child.slope.data(),
                            .adds_a = i == 1 && first.sloped,
                            .adds_b = child.sloped});
  child.sloped = true;
  if (i == 1) first.sloped = true;
}

}  // namespace

template <typename T>
void product_message(const Work<T>& work, int b) {
  const Stages<T> stages(work, b);
  Message<T>& message = stages.message;
  std::copy_n(stages.child(0).exponent, work.columns, message.exponent);
  if (stages.last() == 0) {
    std::copy_n(stages.child(0).y, stages.sizes[0] * work.columns, message.y);
    rescale(stages.all_of(message.y, 0), stages.factors(0), message.exponent);
    return;
  }
  for (std::size_t i = 1; i <= stages.last(); ++i) {
    multiply(stages, i);
    for (std::int64_t c = 0; c < work.columns; ++c)
      message.exponent[c] += stages.child(i).exponent[c];
    rescale(stages.all_of(stages.stage(i), i), stages.factors(i), message.exponent);
  }
}

template <typename T>
void product_slopes(const Work<T>& work, int b) {
  const Stages<T> stages(work, b);
  T *slope = stages.message.slope.data(), *down = work.scratch.data();
  const bool joint = stages.block.product == ProductKind::hadamard && stages.last() > 0;
  for (std::size_t i = stages.last(); i > 0; --i) {
    joint ? part_hadamard(stages, i, slope, down) : part_kronecker(stages, i, slope, down);
    std::swap(slope, down);
  }
  if (joint) return;
  if (stages.last() == 0) open_slope(stages, 0, slope);
  T* const to = slope_of(work.of(stages.block.children[0]));
  column_kernels<T>().add(slope, to, stages.sizes[0] * work.columns);
}

template void product_message(const Work<float>&, int);
template void product_message(const Work<double>&, int);
template void product_slopes(const Work<float>&, int);
template void product_slopes(const Work<double>&, int);

}  // namespace logpx::pc
