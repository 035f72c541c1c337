// The floating-point environment that coding needs: round to nearest, no flush to zero, no
// denormals as zero. A library or a host program may have set another one.
// [det/README 2.3]
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

// What is below the normal range counts as 0 until the end of the scope: such numbers take a
// hundred times as long. Not for what another machine must repeat.
class FlushToZero {
 public:
  FlushToZero();
  ~FlushToZero();
  FlushToZero(const FlushToZero&) = delete;
  FlushToZero& operator=(const FlushToZero&) = delete;

 private:
  std::uint64_t before_;
};

// The control register as it is: MXCSR on x86-64, FPCR on AArch64; 0 elsewhere.
[[nodiscard]] std::uint64_t fp_control();
void set_fp_control(std::uint64_t control);

}  // namespace logpx::det
