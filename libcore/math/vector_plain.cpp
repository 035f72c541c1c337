// The functions of vector_math.hpp as plain loops over libm in double, where SLEEF is not there.
#include "libcore/math/special.hpp"
#include "libcore/math/vector_double.hpp"
#include "libcore/math/vector_kernels.hpp"

namespace logpx::vec {

namespace {

template <typename T, double (*function)(double)>
void by_libm(const T* x, T* out, long n) {
  for (long i = 0; i < n; ++i) out[i] = static_cast<T>(function(static_cast<double>(x[i])));
}

template <typename T>
constexpr ArrayFunctions<T> functions() {
  return {by_libm<T, std::exp>,       by_libm<T, std::expm1>, by_libm<T, std::log>,
          by_libm<T, std::log1p>,     by_libm<T, std::tanh>,  by_libm<T, std::sin>,
          by_libm<T, std::cos>,       by_libm<T, std::erf>,   by_libm<T, log_gamma>,
          by_libm<T, logpx::digamma>, by_libm<T, sigmoid_of>, by_libm<T, softplus_of>,
          by_libm<T, log_sigmoid_of>};
}

template <double (*function)(double, double)>
void of_pairs(const double* a, const double* k, double* out, long n) {
  for (long i = 0; i < n; ++i) out[i] = function(a[i], k[i]);
}

}  // namespace

constinit const VectorKernels plain_kernels = {"libm",
                                               functions<float>(),
                                               functions<double>(),
                                               of_pairs<repeatable_log_rising>,
                                               of_pairs<repeatable_digamma_rising>,
                                               nullptr};

}  // namespace logpx::vec
