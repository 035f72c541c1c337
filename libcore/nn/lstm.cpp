#include "libcore/nn/lstm.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/math/blas.hpp"
#include "libcore/math/vector_math.hpp"

#include <algorithm>

namespace logpx {
namespace {

// [columns, rows] of a matrix [rows, columns].
std::vector<float> transposed(std::span<const float> matrix, std::int64_t columns) {
  const std::int64_t rows = std::ssize(matrix) / columns;
  std::vector<float> made(matrix.size());
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j) made[at(j * rows + i)] = matrix[at(i * columns + j)];
  return made;
}

// c += a b, with b [in, out].
void add_product(std::span<const float> a, std::span<const float> b, std::int64_t in,
                 std::span<float> c) {
  const std::int64_t rows = std::ssize(a) / in, out = std::ssize(b) / in;
  gemm(Gemm<float>{.m = rows,
                   .n = out,
                   .k = in,
                   .a = a.data(),
                   .lda = in,
                   .b = b.data(),
                   .ldb = out,
                   .c = c.data(),
                   .ldc = out,
                   .beta = 1});
}

}  // namespace

Lstm::Lstm(const LstmTensors& tensors)
    : inputs_(tensors.inputs),
      units_(tensors.units),
      w_(transposed(tensors.input, tensors.inputs)),
      u_(transposed(tensors.recurrent, tensors.units)),
      b_(tensors.bias.begin(), tensors.bias.end()) {
  LOGPX_ASSERT(std::ssize(w_) == inputs_ * gates() && std::ssize(u_) == units_ * gates());
  LOGPX_ASSERT(std::ssize(b_) == gates());
}

LstmState Lstm::start(std::int64_t rows) const {
  return {.rows = rows,
          .h = std::vector<float>(at(rows * units_)),
          .c = std::vector<float>(at(rows * units_))};
}

void Lstm::begin(std::span<const float> x, std::span<float> gates) const {
  const std::int64_t rows = std::ssize(x) / inputs_;
  LOGPX_ASSERT(std::ssize(gates) == rows * this->gates());
  for (std::int64_t i = 0; i < rows; ++i) std::ranges::copy(b_, gates.begin() + i * this->gates());
  add_product(x, w_, inputs_, gates);
}

void Lstm::step(std::span<float> gates, LstmState& state) const {
  LOGPX_ASSERT(std::ssize(gates) == state.rows * this->gates());
  add_product(state.h, u_, units_, gates);
  const std::size_t units = at(units_);
  for (std::int64_t row = 0; row < state.rows; ++row) {
    const auto of_row = gates.subspan(at(row) * 4 * units, 4 * units);
    const auto i = of_row.first(units), f = of_row.subspan(units, units),
               g = of_row.subspan(2 * units, units), o = of_row.last(units);
    vec::sigmoid(of_row.first(2 * units), of_row.first(2 * units));
    vec::tanh(g, g);
    vec::sigmoid(o, o);
    const auto c = std::span(state.c).subspan(at(row) * units, units);
    const auto h = std::span(state.h).subspan(at(row) * units, units);
    for (std::size_t k = 0; k < units; ++k) c[k] = f[k] * c[k] + i[k] * g[k];
    vec::tanh(c, h);
    for (std::size_t k = 0; k < units; ++k) h[k] *= o[k];
  }
}

}  // namespace logpx
