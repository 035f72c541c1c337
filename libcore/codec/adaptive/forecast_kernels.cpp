#include "libcore/codec/adaptive/forecast_kernels.hpp"

#include "libcore/det/isa.hpp"

namespace logpx::codec::adaptive {

const ForecastKernels& active_forecast_kernels() {
#if defined(__x86_64__)
  if (active_isa() == Isa::v4) return v4::forecast_kernels;
  if (active_isa() == Isa::v3) return v3::forecast_kernels;
#endif
  return baseline::forecast_kernels;
}

}  // namespace logpx::codec::adaptive
