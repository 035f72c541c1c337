#pragma once

#include <cstdint>

namespace logpx::deflate {

// Refused: the bytes are no DEFLATE stream, or one that is not worth the work: it unfolds to over
// 64 times its length or to less than a 16th, asks for over 1,024 steps a byte, or has codes of its
// own for over 2^20 tokens.
enum class StreamState { open, ended, refused };

constexpr std::uint64_t most_unfolding = 64, most_folding = 16, free_bytes = 65536,
                        free_content = 1u << 20;

}  // namespace logpx::deflate
