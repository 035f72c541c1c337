// The file that the adaptive coder reads before it codes, so that files like it become small: both
// sides need the same one.
#pragma once

#include "tools/compress/coding.hpp"

#include <string>

namespace logpx::compress {

inline constexpr std::size_t most_prime_bytes = std::size_t{16} << 20;

// For an encoder.
void take_prime(Coding& coding, const std::string& path);
// For a decoder, as the archive's parameters ask for it; a data error for another file, or none.
void find_prime(Coding& coding, const std::string& path);

}  // namespace logpx::compress
