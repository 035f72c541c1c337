// The products of libcore/det/panel_product.hpp at the CPU's full speed: a product and its sum
// round once where the instruction set can do that, so each variant has bits of its own.
#pragma once

#include "libcore/det/panel_product.hpp"

namespace logpx {

namespace baseline {
extern const det::PanelKernels fused_panels;
}
namespace v3 {
extern const det::PanelKernels fused_panels;
}
namespace v4 {
extern const det::PanelKernels fused_panels;
}

[[nodiscard]] const det::PanelKernels& active_fused_panels();

}  // namespace logpx
