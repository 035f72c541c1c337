// Members of a zip archive, stored or deflated, with zip64 sizes: as much of zip as npz needs.
#pragma once

#include "formats/import/byte_source.hpp"
#include "formats/import/spool.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace logpx {

struct ZipEntry {
  std::string name;
  int method = 0;  // 0 stored, 8 deflated
  std::uint32_t crc = 0;
  std::uint64_t compressed = 0, size = 0, offset = 0;  // offset of the local header
};

// The central directory. A damaged one is a data error; so are encryption and split archives.
[[nodiscard]] std::vector<ZipEntry> read_zip_directory(const SeekableBytes& archive);

// The bytes of one member; its CRC and size are checked when its end is reached. `archive` must
// outlive the stream.
[[nodiscard]] std::unique_ptr<ByteStream> open_zip_member(const SeekableBytes& archive,
                                                          const ZipEntry& entry);

}  // namespace logpx
