#include "libcore/math/vector_math.hpp"

#include "libcore/base/error.hpp"
#include "libcore/det/arrays.hpp"
#include "libcore/det/functions.hpp"
#include "libcore/det/isa.hpp"
#include "libcore/math/repeatable.hpp"
#include "libcore/math/special.hpp"
#include "libcore/math/vector_kernels.hpp"

#include <cmath>
#include <numbers>

namespace logpx {

thread_local int RepeatableFunctions::depth_ = 0;

RepeatableFunctions::RepeatableFunctions() { ++depth_; }
RepeatableFunctions::~RepeatableFunctions() { --depth_; }
bool RepeatableFunctions::on() { return depth_ > 0; }

}  // namespace logpx

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

template <typename T>
void over(ArrayFunction<T> function, std::span<const T> x, std::span<T> out) {
  LOGPX_DCHECK(x.size() == out.size());
  function(x.data(), out.data(), static_cast<long>(x.size()));
}

// Widened, evaluated, rounded once.
template <typename T, typename Function>
void each(std::span<const T> x, std::span<T> out, Function function) {
  for (std::size_t i = 0; i < x.size(); ++i)
    out[i] = static_cast<T>(function(static_cast<double>(x[i])));
}

void over_pairs(PairFunction function, double (*repeatable)(double, double),
                std::span<const double> a, std::span<const double> k, std::span<double> out) {
  LOGPX_DCHECK(a.size() == out.size() && k.size() == out.size());
  if (!RepeatableFunctions::on())
    return function(a.data(), k.data(), out.data(), static_cast<long>(out.size()));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = repeatable(a[i], k[i]);
}

}  // namespace

const VectorKernels& active_kernels() {
  static const VectorKernels& kernels = choose();
  return kernels;
}

std::string backend() { return active_kernels().name; }

#define LOGPX_VECTOR_FUNCTION(name, repeatable)                 \
  void name(std::span<const float> x, std::span<float> out) {   \
    if (RepeatableFunctions::on()) repeatable;                  \
    else over(active_kernels().floats.name, x, out);            \
  }                                                             \
  void name(std::span<const double> x, std::span<double> out) { \
    if (RepeatableFunctions::on()) repeatable;                  \
    else over(active_kernels().doubles.name, x, out);           \
  }
LOGPX_VECTOR_FUNCTION(exp, det::exp(x, out))
LOGPX_VECTOR_FUNCTION(expm1, each(x, out, det_expm1))
LOGPX_VECTOR_FUNCTION(log, each(x, out, repeatable_log))
LOGPX_VECTOR_FUNCTION(log1p, each(x, out, det_log1p))
LOGPX_VECTOR_FUNCTION(tanh, det::tanh(x, out))
LOGPX_VECTOR_FUNCTION(sin, each(x, out, [](double v) { return det_sincos(v).sin; }))
LOGPX_VECTOR_FUNCTION(cos, each(x, out, [](double v) { return det_sincos(v).cos; }))
LOGPX_VECTOR_FUNCTION(erf, each(x, out,
                                [](double v) { return 2 * det_ndtr(std::numbers::sqrt2 * v) - 1; }))
LOGPX_VECTOR_FUNCTION(lgamma, each(x, out, repeatable_log_gamma))
LOGPX_VECTOR_FUNCTION(digamma, each(x, out, logpx::digamma))
LOGPX_VECTOR_FUNCTION(sigmoid, det::sigmoid(x, out))
LOGPX_VECTOR_FUNCTION(softplus, det::softplus(x, out))
LOGPX_VECTOR_FUNCTION(log_sigmoid, each(x, out, [](double v) { return -det_softplus(-v); }))
#undef LOGPX_VECTOR_FUNCTION

void log_rising(std::span<const double> a, std::span<const double> k, std::span<double> out) {
  over_pairs(active_kernels().log_rising, repeatable_log_rising, a, k, out);
}
void digamma_rising(std::span<const double> a, std::span<const double> k, std::span<double> out) {
  over_pairs(active_kernels().digamma_rising, repeatable_digamma_rising, a, k, out);
}

}  // namespace logpx::vec
