// The floating-point environment that coding needs: round to nearest, no flush to zero, no
// denormals as zero. A library or a host program may have set another one.
// [spec/coding.md section 1.2]
#pragma once

#include <cstdint>

namespace logpx::det {

// Holds for this thread until the end of the scope.
class FpEnvironment {
 public:
  FpEnvironment();
  ~FpEnvironment();
  FpEnvironment(const FpEnvironment&) = delete;
  FpEnvironment& operator=(const FpEnvironment&) = delete;

 private:
  std::uint64_t before_;
};

// The control register as it is: MXCSR on x86-64, FPCR on AArch64; 0 elsewhere.
[[nodiscard]] std::uint64_t fp_control();
void set_fp_control(std::uint64_t control);

}  // namespace logpx::det
