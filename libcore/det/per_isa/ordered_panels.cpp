// Compiled once per instruction set into namespace LOGPX_ISA; see libcore/det/panel_product.hpp.
#include "libcore/det/panel_strips.hpp"

namespace logpx::det::LOGPX_ISA {

constinit const PanelKernels ordered_panels = {multiply<float>, multiply<double>};

}  // namespace logpx::det::LOGPX_ISA
