#include "libcore/grad/block_kernels.hpp"

#include "libcore/base/error.hpp"
#include "libcore/det/isa.hpp"

namespace logpx {

const BlockKernels& block_kernels_of(Isa isa) {
  LOGPX_ASSERT(isa_available(isa));
#if defined(__x86_64__)
  if (isa == Isa::v4) return v4::block_kernels;
  if (isa == Isa::v3) return v3::block_kernels;
#endif
  return baseline::block_kernels;
}

const BlockKernels& active_block_kernels() {
  static const BlockKernels& kernels = block_kernels_of(active_isa());
  return kernels;
}

}  // namespace logpx
