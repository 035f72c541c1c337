// Compiled once per instruction set into namespace LOGPX_ISA, with contraction (CMakeLists.txt);
// see libcore/math/fused_panels.hpp.
#include "libcore/math/fused_panels.hpp"

#include "libcore/det/panel_strips.hpp"

namespace logpx::LOGPX_ISA {

constinit const det::PanelKernels fused_panels = {det::LOGPX_ISA::multiply<float>,
                                                  det::LOGPX_ISA::multiply<double>};

}  // namespace logpx::LOGPX_ISA
