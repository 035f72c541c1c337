// The file that the adaptive coder reads before it codes, so that files like it become small: both
// sides need the same one.
#pragma once

#include "tools/archives/block_coder.hpp"
#include "tools/archives/coding.hpp"

#include <string>

namespace logpx::compress {

// For an encoder.
void take_prime(Coding& coding, const std::string& path);
// Puts it into the archive, coded like a table of members: once, for however many archives.
void embed_prime(Coding& coding, const BlockSettings& settings);
// For a decoder, as the archive's parameters ask for it: what the archive has `embedded`, or else
// the file that is named. A data error for another one, or none.
void find_prime(Coding& coding, const std::string& path, const archive::ByteVector* embedded);

}  // namespace logpx::compress
