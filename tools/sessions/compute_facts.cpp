#include "tools/sessions/compute_facts.hpp"

#include "libcore/det/isa.hpp"
#include "libcore/math/blas.hpp"
#include "libcore/math/vector_math.hpp"
#include "libcore/train/ranks.hpp"

namespace logpx {

ComputeFacts compute_facts() {
  return {
      .blas = blas_name(),
      .blas_kernel = blas_kernel(),
      .vector_math = vec::backend(),
      .mpi = mpi_version(),
      .faster_kernel = kernel_for(blas_kernel(), isa_available(Isa::v3), isa_available(Isa::v4))};
}

}  // namespace logpx
