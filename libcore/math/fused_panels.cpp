#include "libcore/math/fused_panels.hpp"

#include "libcore/det/isa.hpp"

namespace logpx {

const det::PanelKernels& active_fused_panels() {
#if defined(__x86_64__)
  if (active_isa() == Isa::v4) return v4::fused_panels;
  if (active_isa() == Isa::v3) return v3::fused_panels;
#endif
  return baseline::fused_panels;
}

}  // namespace logpx
