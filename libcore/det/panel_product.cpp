#include "libcore/det/panel_product.hpp"

#include "libcore/base/error.hpp"
#include "libcore/det/isa.hpp"

namespace logpx::det {

const PanelKernels& ordered_panels_of(Isa isa) {
  LOGPX_ASSERT(isa_available(isa));
#if defined(__x86_64__)
  if (isa == Isa::v4) return v4::ordered_panels;
  if (isa == Isa::v3) return v3::ordered_panels;
#endif
  return baseline::ordered_panels;
}

const PanelKernels& active_ordered_panels() {
  static const PanelKernels& panels = ordered_panels_of(active_isa());
  return panels;
}

}  // namespace logpx::det
