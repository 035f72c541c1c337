// Compiled once per instruction set into namespace LOGPX_ISA; see
// libcore/judge/distance_kernels.hpp.
#include "libcore/det/vector_bytes.hpp"
#include "libcore/judge/distance_kernels.hpp"

namespace logpx::LOGPX_ISA {

namespace {

constexpr long width = vector_bytes / int{sizeof(double)};
constexpr long vectors = distance_lanes / width;

typedef double V __attribute__((vector_size(width * sizeof(double))));

void squared_distances(const double* row, const double* values, long d, double* out) {
  V sums[vectors] = {};
  for (long k = 0; k < d; ++k, values += distance_lanes)
    for (long v = 0; v < vectors; ++v) {
      V others;
      __builtin_memcpy(&others, values + v * width, sizeof others);
      const V difference = row[k] - others;
      sums[v] += difference * difference;
    }
  __builtin_memcpy(out, sums, sizeof sums);
}

}  // namespace

constinit const DistanceKernels distance_kernels = {squared_distances};

}  // namespace logpx::LOGPX_ISA
