#include "libcore/math/vector_math.hpp"

#include "libcore/base/error.hpp"
#include "libcore/det/isa.hpp"
#include "libcore/math/special.hpp"
#include "libcore/math/vector_double.hpp"
#include "libcore/math/vector_kernels.hpp"

#include <cmath>

namespace logpx::vec {

namespace {

const VectorKernels& choose() {
#if LOGPX_HAVE_SLEEF && defined(__x86_64__)
  if (active_isa() == Isa::v4) return v4::kernels;
  if (active_isa() == Isa::v3) return v3::kernels;
  return isa_available(Isa::v3) ? v3::scalar_kernels : baseline::kernels;
#else
  return plain_kernels;
#endif
}

void over(FloatFunction function, std::span<const float> x, std::span<float> out) {
  LOGPX_DCHECK(x.size() == out.size());
  function(x.data(), out.data(), static_cast<long>(x.size()));
}

template <typename Function>
void over(Function function, std::span<const double> x, std::span<double> out) {
  LOGPX_DCHECK(x.size() == out.size());
  for (std::size_t i = 0; i < x.size(); ++i) out[i] = function(x[i]);
}

}  // namespace

const VectorKernels& active_kernels() {
  static const VectorKernels& kernels = choose();
  return kernels;
}

std::string backend() { return active_kernels().name; }

#define LOGPX_VECTOR_FUNCTION(name, value)                      \
  void name(std::span<const float> x, std::span<float> out) {   \
    over(active_kernels().name, x, out);                        \
  }                                                             \
  void name(std::span<const double> x, std::span<double> out) { \
    over([](double v) { return value; }, x, out);               \
  }
LOGPX_VECTOR_FUNCTION(exp, std::exp(v))
LOGPX_VECTOR_FUNCTION(expm1, std::expm1(v))
LOGPX_VECTOR_FUNCTION(log, std::log(v))
LOGPX_VECTOR_FUNCTION(log1p, std::log1p(v))
LOGPX_VECTOR_FUNCTION(tanh, std::tanh(v))
LOGPX_VECTOR_FUNCTION(sin, std::sin(v))
LOGPX_VECTOR_FUNCTION(cos, std::cos(v))
LOGPX_VECTOR_FUNCTION(erf, std::erf(v))
LOGPX_VECTOR_FUNCTION(lgamma, logpx::log_gamma(v))
LOGPX_VECTOR_FUNCTION(sigmoid, sigmoid_of(v))
LOGPX_VECTOR_FUNCTION(softplus, softplus_of(v))
LOGPX_VECTOR_FUNCTION(log_sigmoid, log_sigmoid_of(v))
#undef LOGPX_VECTOR_FUNCTION

}  // namespace logpx::vec
