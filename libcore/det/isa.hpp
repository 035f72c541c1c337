// Which of the compiled variants of a hot loop runs. All variants give the same bits, so this is a
// matter of speed only.   [det/README 2.4]
#pragma once

#include <string>

namespace logpx {

enum class Isa { baseline, v3, v4 };  // SSE2, NEON or portable; x86-64-v3 (AVX2); v4 (AVX-512)

// The best variant of the build that this CPU runs, or the one that LOGPX_ISA names; found once.
[[nodiscard]] Isa active_isa();

[[nodiscard]] bool isa_available(Isa isa);  // built, and the CPU has it
[[nodiscard]] std::string isa_name(Isa isa);

}  // namespace logpx
