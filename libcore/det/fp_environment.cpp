#include "libcore/det/fp_environment.hpp"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace logpx::det {
namespace {

// What a new process starts with. On x86-64 exceptions are masked there.
#if defined(__x86_64__)
constexpr std::uint64_t plain = 0x1f80, flush_to_zero = 0x8040;
#elif defined(__aarch64__)
constexpr std::uint64_t plain = 0, flush_to_zero = std::uint64_t{1} << 24;
#else
constexpr std::uint64_t plain = 0, flush_to_zero = 0;
#endif

}  // namespace

std::uint64_t fp_control() {
#if defined(__x86_64__)
  return _mm_getcsr();
#elif defined(__aarch64__)
  std::uint64_t control;
  asm volatile("mrs %0, fpcr" : "=r"(control));
  return control;
#else
  return 0;
#endif
}

void set_fp_control([[maybe_unused]] std::uint64_t control) {
#if defined(__x86_64__)
  _mm_setcsr(static_cast<unsigned>(control));
#elif defined(__aarch64__)
  asm volatile("msr fpcr, %0" : : "r"(control));
#endif
}

FpEnvironment::FpEnvironment() : before_(fp_control()) { set_fp_control(plain); }

FpEnvironment::~FpEnvironment() { set_fp_control(before_); }

FlushToZero::FlushToZero() : before_(fp_control()) { set_fp_control(before_ | flush_to_zero); }

FlushToZero::~FlushToZero() { set_fp_control(before_); }

}  // namespace logpx::det
