// Archives made and opened in memory, by the driver of the two tools.
#pragma once

#include "tools/archives/archive_maker.hpp"
#include "tools/archives/coding_model.hpp"
#include "tools/archives/opened_archive.hpp"

#include <functional>
#include <memory>
#include <string>

namespace logpx::testing {

// A file in memory; its kind is found as for any other.
struct MemoryFile {
  std::string name = "file";
  archive::ByteVector bytes;
};

// Coding with `model`, or without one if it is null.
[[nodiscard]] compress::Coding coding_of(std::shared_ptr<Model> model,
                                         const compress::CodingOptions& options, Workers& workers);
[[nodiscard]] archive::ByteVector make_archive(const compress::Coding& coding,
                                               const std::vector<MemoryFile>& files,
                                               compress::Methods methods, Workers& workers,
                                               compress::Figures* figures = nullptr,
                                               compress::Score score = compress::Score::off);

// Whether a member, with its number, is wanted.
using Wanted = std::function<bool(const archive::Member&, std::uint64_t)>;
// All members of all archives in the bytes, or the wanted ones; errors are those of the opener.
[[nodiscard]] std::vector<archive::ByteVector> open_archive(archive::ByteView bytes,
                                                            std::shared_ptr<Model> model,
                                                            Workers& workers,
                                                            std::uint64_t max_output = ~0ull,
                                                            const Wanted& wanted = {});

// A file of tests/archives.
[[nodiscard]] std::string stored_archive(const std::string& name);
// SHA-256 in hex of what comes out of such an archive, which holds one member and its model.
[[nodiscard]] std::string hash_of_stored(const std::string& name);

}  // namespace logpx::testing
