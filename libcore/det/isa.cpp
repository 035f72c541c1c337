#include "libcore/det/isa.hpp"

#include "libcore/base/error.hpp"

#include <array>
#include <cstdlib>

namespace logpx {

namespace {

constexpr std::array all_isas = {Isa::v4, Isa::v3, Isa::baseline};

Isa choose() {
  if (const char* const wish = std::getenv("LOGPX_ISA"); wish && *wish) {
    for (const Isa isa : all_isas)
      if (wish == isa_name(isa)) {
        if (!isa_available(isa))
          fail(ErrorKind::usage, "LOGPX_ISA", "this CPU or this build has no " + isa_name(isa),
               "unset LOGPX_ISA, or set it to baseline");
        return isa;
      }
    fail(ErrorKind::usage, "LOGPX_ISA",
         "is '" + std::string(wish) + "', expected baseline, v3 or v4");
  }
  for (const Isa isa : all_isas)
    if (isa_available(isa)) return isa;
  return Isa::baseline;
}

}  // namespace

Isa active_isa() {
  static const Isa chosen = choose();
  return chosen;
}

bool isa_available(Isa isa) {
  if (isa == Isa::baseline) return true;
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (isa == Isa::v3)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  return isa_available(Isa::v3) && __builtin_cpu_supports("avx512f") &&
         __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#else
  return false;
#endif
}

std::string isa_name(Isa isa) { return isa == Isa::v4 ? "v4" : isa == Isa::v3 ? "v3" : "baseline"; }

}  // namespace logpx
