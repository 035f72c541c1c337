#include "libcore/judge/distance_kernels.hpp"

#include "libcore/det/isa.hpp"

namespace logpx {

const DistanceKernels& active_distance_kernels() {
#if defined(__x86_64__)
  if (active_isa() == Isa::v4) return v4::distance_kernels;
  if (active_isa() == Isa::v3) return v3::distance_kernels;
#endif
  return baseline::distance_kernels;
}

}  // namespace logpx
