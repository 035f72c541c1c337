#include "libcore/grad/graph_kernels.hpp"

#include "libcore/base/error.hpp"
#include "libcore/det/isa.hpp"

namespace logpx {

const AllGraphKernels& graph_kernels_of(Isa isa) {
  LOGPX_ASSERT(isa_available(isa));
#if defined(__x86_64__)
  if (isa == Isa::v4) return v4::graph_kernels;
  if (isa == Isa::v3) return v3::graph_kernels;
#endif
  return baseline::graph_kernels;
}

template <>
const GraphKernels<float>& graph_kernels<float>() {
  static const GraphKernels<float>& kernels = graph_kernels_of(active_isa()).of_floats;
  return kernels;
}
template <>
const GraphKernels<double>& graph_kernels<double>() {
  static const GraphKernels<double>& kernels = graph_kernels_of(active_isa()).of_doubles;
  return kernels;
}

}  // namespace logpx
