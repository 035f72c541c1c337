// What oneDNN offers on this machine.
#pragma once

#include <string>

namespace logpx {

[[nodiscard]] std::string onednn_version();  // "2.6.3"; empty in a build without it
// What multiplies factors of 8 bits here, "avx512_bf16" or "amx_bf16"; empty where nothing does.
[[nodiscard]] std::string bf16_kernels();

}  // namespace logpx
