#include "libcore/grad/curve_kernels.hpp"

#include "libcore/base/error.hpp"
#include "libcore/det/isa.hpp"

namespace logpx {

const AllCurveKernels& curve_kernels_of(Isa isa) {
  LOGPX_ASSERT(isa_available(isa));
#if defined(__x86_64__)
  if (isa == Isa::v4) return v4::curve_kernels;
  if (isa == Isa::v3) return v3::curve_kernels;
#endif
  return baseline::curve_kernels;
}

const AllCurveKernels& active_curve_kernels() {
  static const AllCurveKernels& kernels = curve_kernels_of(active_isa());
  return kernels;
}

}  // namespace logpx
