// The functions of vector_math.hpp as plain loops over libm in double: float32 without SLEEF.
#include "libcore/math/special.hpp"
#include "libcore/math/vector_double.hpp"
#include "libcore/math/vector_kernels.hpp"

namespace logpx::vec {

namespace {

template <double (*function)(double)>
void over(const float* x, float* out, long n) {
  for (long i = 0; i < n; ++i) out[i] = static_cast<float>(function(static_cast<double>(x[i])));
}

}  // namespace

constinit const VectorKernels plain_kernels = {
    "libm",           over<std::exp>,    over<std::expm1>,    over<std::log>, over<std::log1p>,
    over<std::tanh>,  over<std::sin>,    over<std::cos>,      over<std::erf>, over<log_gamma>,
    over<sigmoid_of>, over<softplus_of>, over<log_sigmoid_of>};

}  // namespace logpx::vec
