// The functions of vector_math.hpp as plain loops over libm in double: float32 without SLEEF.
#include "libcore/math/special.hpp"
#include "libcore/math/vector_double.hpp"
#include "libcore/math/vector_kernels.hpp"

namespace logpx::vec {

namespace {

template <double (*function)(double)>
void by_libm(const float* x, float* out, long n) {
  for (long i = 0; i < n; ++i) out[i] = static_cast<float>(function(static_cast<double>(x[i])));
}

}  // namespace

constinit const VectorKernels plain_kernels = {"libm",
                                               by_libm<std::exp>,
                                               by_libm<std::expm1>,
                                               by_libm<std::log>,
                                               by_libm<std::log1p>,
                                               by_libm<std::tanh>,
                                               by_libm<std::sin>,
                                               by_libm<std::cos>,
                                               by_libm<std::erf>,
                                               by_libm<log_gamma>,
                                               by_libm<sigmoid_of>,
                                               by_libm<softplus_of>,
                                               by_libm<log_sigmoid_of>,
                                               nullptr};

}  // namespace logpx::vec
