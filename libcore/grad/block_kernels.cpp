#include "libcore/grad/block_kernels.hpp"

#include "libcore/det/isa.hpp"

namespace logpx {

const BlockKernels& active_block_kernels() {
#if defined(__x86_64__)
  if (active_isa() == Isa::v4) return v4::block_kernels;
  if (active_isa() == Isa::v3) return v3::block_kernels;
#endif
  return baseline::block_kernels;
}

}  // namespace logpx
