#include "libcore/judge/bit_kernels.hpp"

#include "libcore/det/isa.hpp"

namespace logpx {

const BitKernels& active_bit_kernels() {
#if defined(__x86_64__)
  if (active_isa() == Isa::v4) return v4::bit_kernels;
  if (active_isa() == Isa::v3) return v3::bit_kernels;
#endif
  return baseline::bit_kernels;
}

}  // namespace logpx
