// Squared distances from one row to sixteen, compiled once per instruction set; every variant gives
// the same bits. Like every header of per_isa sources it uses no standard header.
#pragma once

namespace logpx {

inline constexpr long distance_lanes = 16;

struct DistanceKernels {
  // out[l] = sum over k, in order, of (row[k] - values[k][l])^2; values [d,distance_lanes].
  void (*squared_distances)(const double* row, const double* values, long d, double* out);
};

namespace baseline {
extern const DistanceKernels distance_kernels;
}
namespace v3 {
extern const DistanceKernels distance_kernels;
}
namespace v4 {
extern const DistanceKernels distance_kernels;
}

[[nodiscard]] const DistanceKernels& active_distance_kernels();

}  // namespace logpx
