#include "libcore/det/picture_sum.hpp"

#include "libcore/base/error.hpp"
#include "libcore/det/isa.hpp"

namespace logpx::det {

const PictureKernels& picture_kernels_of(Isa isa) {
  LOGPX_ASSERT(isa_available(isa));
#if defined(__x86_64__)
  if (isa == Isa::v4) return v4::picture_kernels;
  if (isa == Isa::v3) return v3::picture_kernels;
#endif
  return baseline::picture_kernels;
}

const PictureKernels& active_picture_kernels() {
  static const PictureKernels& kernels = picture_kernels_of(active_isa());
  return kernels;
}

}  // namespace logpx::det
