// Archives made by libarchive's writing half, in memory.
#pragma once

#include "tests/support/foreign_files.hpp"

#include <string>
#include <vector>

namespace logpx::testing {

struct Filed {
  std::string name;
  Bytes8 bytes;
  std::string symbolic = {}, hard = {};  // where a link points
};

// `format` is zip, gnutar, pax, ustar or v7tar; `filter` gzip, xz, zstd, bzip2 or nothing.
[[nodiscard]] Bytes8 archive_of(const std::vector<Filed>& files, const std::string& format,
                                const std::string& filter = "");

}  // namespace logpx::testing
