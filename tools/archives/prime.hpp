// What the adaptive coder reads before it codes, so that files like it become small: a file, or all
// files of a folder. Both sides need the same bytes.
#pragma once

#include "tools/archives/block_coder.hpp"
#include "tools/archives/coding.hpp"

#include <string>

namespace logpx::compress {

// The file, which may have up to 16 MiB; of a folder, all files in it and its folders, in the order
// of their names, of which the last 16 MiB are taken.
[[nodiscard]] archive::ByteVector read_prime(const std::string& path);

// For an encoder.
void take_prime(Coding& coding, const std::string& path);
// Codes it for embedding, like a table of members; once for all archives.
void embed_prime(Coding& coding, const BlockSettings& settings);
// For a decoder: takes what the archive has `embedded`, or else what the path names. A data error
// if it is missing or not the one in the archive's parameters.
void find_prime(Coding& coding, const std::string& path, const archive::ByteVector* embedded);

}  // namespace logpx::compress
