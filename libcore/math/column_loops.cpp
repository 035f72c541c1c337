#include "libcore/math/column_loops.hpp"

#include "libcore/det/isa.hpp"

namespace logpx {

const AllColumnKernels& column_kernels_of([[maybe_unused]] Isa isa) {
#if defined(__x86_64__)
  if (isa == Isa::v4) return v4::column_kernels;
  if (isa == Isa::v3) return v3::column_kernels;
#endif
  return baseline::column_kernels;
}

template <>
const ColumnKernels<float>& column_kernels<float>() {
  static const ColumnKernels<float>& kernels = column_kernels_of(active_isa()).of_floats;
  return kernels;
}
template <>
const ColumnKernels<double>& column_kernels<double>() {
  static const ColumnKernels<double>& kernels = column_kernels_of(active_isa()).of_doubles;
  return kernels;
}

}  // namespace logpx
