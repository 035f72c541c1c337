#include "libcore/det/ordered_gemm.hpp"

#include "libcore/base/error.hpp"
#include "libcore/det/isa.hpp"
#include "libcore/det/ordered_kernels.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace logpx::det {

namespace {

// Depth and height of a block: a panel of B fits the second-level cache many times, a block of A
// fits it once.
constexpr std::int64_t block_k = 384, block_m = 240;

void scale_rows(const OrderedGemm& g) {
  for (std::int64_t i = 0; i < g.m; ++i)
    for (std::int64_t j = 0; j < g.n; ++j) g.c[i * g.ldc + j] *= g.beta;
}

// The accumulators of rows [row, ...) at the first k start here; later ones go on from C.
BlockCall block_of(const OrderedGemm& g, std::int64_t row, std::int64_t k) {
  BlockCall call = {};
  call.m = std::min(block_m, g.m - row);
  call.n = g.n;
  call.k = std::min(block_k, g.k - k);
  call.a = g.a.data + row * g.a.row_step + k * g.a.col_step;
  call.a_row_step = g.a.row_step;
  call.a_col_step = g.a.col_step;
  call.alpha = g.alpha;
  call.c = g.c + row * g.ldc;
  call.ldc = g.ldc;
  call.last = k + call.k == g.k;
  if (k > 0 || g.beta != 0) {
    call.start = call.c;
    call.start_step = g.ldc;
  } else {
    call.start = g.bias;
  }
  return call;
}

// With so few rows, packing B takes longer than using it.
bool is_a_row(const OrderedGemm& g) { return g.m <= 2 && g.b.col_step == 1; }

}  // namespace

const OrderedKernels& kernels_of(Isa isa) {
  LOGPX_ASSERT(isa_available(isa));
#if defined(__x86_64__)
  if (isa == Isa::v4) return v4::ordered_kernels;
  if (isa == Isa::v3) return v3::ordered_kernels;
#endif
  return baseline::ordered_kernels;
}

void FloatBuffer::Free::operator()(float* memory) const { std::free(memory); }

float* FloatBuffer::reserve(std::int64_t elements) {
  if (elements > elements_) {
    const auto bytes = (static_cast<std::size_t>(elements) * sizeof(float) + 63) / 64 * 64;
    memory_.reset(static_cast<float*>(std::aligned_alloc(64, bytes)));
    if (!memory_) throw std::bad_alloc();
    elements_ = elements;
  }
  return memory_.get();
}

void PackedB::pack(Matrix b, std::int64_t k, std::int64_t n) {
  pack(b, k, n, kernels_of(active_isa()));
}

void PackedB::pack(Matrix b, std::int64_t k, std::int64_t n, const OrderedKernels& kernels) {
  k_ = k;
  n_ = n;
  kernels_ = &kernels;
  float* const panels = panels_.reserve(kernels.packed_b_floats(k, n));
  kernels.pack_b({b.data, b.row_step, b.col_step, k, n, panels});
}

void multiply_rows(const OrderedGemm& g, const OrderedKernels& kernels) {
  LOGPX_ASSERT(g.b.col_step == 1 && !(g.bias && g.beta != 0));
  if (g.beta != 0 && g.beta != 1) scale_rows(g);
  for (std::int64_t i = 0; i < g.m; ++i) {
    RowCall call = {};
    call.n = g.n;
    call.k = g.k;
    call.a = g.a.data + i * g.a.row_step;
    call.a_step = g.a.col_step;
    call.alpha = g.alpha;
    call.b = g.b.data;
    call.row_step = g.b.row_step;
    call.c = g.c + i * g.ldc;
    call.start = g.beta != 0 ? call.c : g.bias;
    kernels.row(call);
  }
}

void gemm(const OrderedGemm& g) {
  if (is_a_row(g)) return multiply_rows(g, kernels_of(active_isa()));
  thread_local PackedB packed;
  packed.pack(g.b, g.k, g.n);
  gemm(g, packed);
}

void gemm(const OrderedGemm& g, const PackedB& b) {
  LOGPX_ASSERT(b.k() == g.k && b.n() == g.n && !(g.bias && g.beta != 0));
  thread_local FloatBuffer packed_a;
  const OrderedKernels& kernels = b.kernels();
  if (g.beta != 0 && g.beta != 1) scale_rows(g);
  // With k = 0 one empty block still writes the start values.
  for (std::int64_t row = 0; row < g.m; row += block_m)
    for (std::int64_t k = 0; k == 0 || k < g.k; k += block_k) {
      BlockCall call = block_of(g, row, k);
      call.packed_a = packed_a.reserve(kernels.packed_a_floats(call.m, call.k));
      call.panels = b.data() + k * kernels.columns;
      call.panel_step = g.k * kernels.columns;
      kernels.block(call);
    }
}

}  // namespace logpx::det
