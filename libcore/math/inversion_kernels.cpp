#include "libcore/math/inversion_kernels.hpp"

#include "libcore/base/error.hpp"
#include "libcore/det/isa.hpp"

namespace logpx {

const InversionKernels& inversion_kernels_of(Isa isa) {
  LOGPX_ASSERT(isa_available(isa));
#if defined(__x86_64__)
  if (isa == Isa::v4) return v4::inversion_kernels;
  if (isa == Isa::v3) return v3::inversion_kernels;
#endif
  return baseline::inversion_kernels;
}

const InversionKernels& active_inversion_kernels() {
  static const InversionKernels& kernels = inversion_kernels_of(active_isa());
  return kernels;
}

}  // namespace logpx
