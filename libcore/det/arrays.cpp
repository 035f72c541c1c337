#include "libcore/det/arrays.hpp"

#include "libcore/base/error.hpp"
#include "libcore/det/array_kernels.hpp"

namespace logpx::det {

namespace {

const ArrayKernels& active() {
  static const ArrayKernels& kernels = array_kernels_of(active_isa());
  return kernels;
}

long size_of(std::size_t x, std::size_t y) {
  LOGPX_ASSERT(x == y);
  return static_cast<long>(x);
}

}  // namespace

const ArrayKernels& array_kernels_of(Isa isa) {
  LOGPX_ASSERT(isa_available(isa));
#if defined(__x86_64__)
  if (isa == Isa::v4) return v4::array_kernels;
  if (isa == Isa::v3) return v3::array_kernels;
#endif
  return baseline::array_kernels;
}

#define LOGPX_ARRAY_FUNCTION(name)                                          \
  void name(std::span<const double> x, std::span<double> y) {               \
    active().name.doubles(x.data(), y.data(), size_of(x.size(), y.size())); \
  }
#define LOGPX_FLOAT_FUNCTION(name)                                         \
  void name(std::span<const float> x, std::span<float> y) {                \
    active().name.floats(x.data(), y.data(), size_of(x.size(), y.size())); \
  }
LOGPX_ARRAY_FUNCTION(exp)
LOGPX_ARRAY_FUNCTION(log)
LOGPX_ARRAY_FUNCTION(sigmoid)
LOGPX_ARRAY_FUNCTION(tanh)
LOGPX_ARRAY_FUNCTION(softplus)
LOGPX_ARRAY_FUNCTION(ndtr)
LOGPX_FLOAT_FUNCTION(exp)
LOGPX_FLOAT_FUNCTION(sigmoid)
LOGPX_FLOAT_FUNCTION(tanh)
LOGPX_FLOAT_FUNCTION(softplus)
LOGPX_FLOAT_FUNCTION(ndtr)
#undef LOGPX_ARRAY_FUNCTION
#undef LOGPX_FLOAT_FUNCTION

void sigmoid(std::span<const float> x, std::span<double> y) {
  active().sigmoid.widened(x.data(), y.data(), size_of(x.size(), y.size()));
}
void ndtr(std::span<const float> x, std::span<double> y) {
  active().ndtr.widened(x.data(), y.data(), size_of(x.size(), y.size()));
}

void beta_binomial_ratios(double alpha, double beta, std::span<double> ratios) {
  active().beta_binomial_ratios(alpha, beta, ratios.data(), static_cast<long>(ratios.size()));
}

}  // namespace logpx::det
