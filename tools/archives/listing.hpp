// The contents of an archive, without decoding it: --list.
#pragma once

#include "formats/archive/reader.hpp"
#include "tools/archives/figures.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace logpx::compress {

enum class Detail { brief, full };

struct Listing {
  struct Entry {
    archive::Member member;
    std::uint64_t size = 0;
    Figures figures;  // of its blocks
    // DEFLATE streams that were undone, by how they were made; pictures among them.
    std::map<std::string, std::uint64_t> streams = {};
    std::uint64_t pictures = 0;
  };
  struct Part {  // one of the archives of a file
    archive::ArchiveHeader header;
    std::vector<Entry> members;
    std::uint64_t decision_bytes = 0;                                       // of all streams, coded
    std::uint64_t model_bytes = 0, prime_bytes = 0, coded_prime_bytes = 0;  // embedded
  };
  std::vector<Part> parts;
  Figures figures;

  [[nodiscard]] std::string text(const std::string& file, Detail detail) const;
};

// Checks every checksum of the container, but no content.
[[nodiscard]] Listing list_archive(archive::ByteSupply supply);

}  // namespace logpx::compress
