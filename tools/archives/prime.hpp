// The file that the adaptive coder reads before it codes, so that files like it become small: both
// sides need the same one.
#pragma once

#include "tools/archives/block_coder.hpp"
#include "tools/archives/coding.hpp"

#include <string>

namespace logpx::compress {

// For an encoder.
void take_prime(Coding& coding, const std::string& path);
// Codes it for embedding, like a table of members; once for all archives.
void embed_prime(Coding& coding, const BlockSettings& settings);
// For a decoder: takes what the archive has `embedded`, or else the named file. A data error if it
// is missing or not the one in the archive's parameters.
void find_prime(Coding& coding, const std::string& path, const archive::ByteVector* embedded);

}  // namespace logpx::compress
