#include "libcore/grad/row_kernels.hpp"

#include "libcore/base/error.hpp"
#include "libcore/det/isa.hpp"

namespace logpx {

const AllRowKernels& row_kernels_of(Isa isa) {
  LOGPX_ASSERT(isa_available(isa));
#if defined(__x86_64__)
  if (isa == Isa::v4) return v4::row_kernels;
  if (isa == Isa::v3) return v3::row_kernels;
#endif
  return baseline::row_kernels;
}

template <>
const RowKernels<float>& row_kernels<float>() {
  static const RowKernels<float>& kernels = row_kernels_of(active_isa()).of_floats;
  return kernels;
}
template <>
const RowKernels<double>& row_kernels<double>() {
  static const RowKernels<double>& kernels = row_kernels_of(active_isa()).of_doubles;
  return kernels;
}

}  // namespace logpx
