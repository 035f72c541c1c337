// The files of an `images` input: folders and archives walked in bytewise order of the relative
// path (no locale, not the order of the file system), files as given.
#pragma once

#include "formats/import/importer.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace logpx {

struct PictureFile {
  std::size_t input = 0;  // which operand it came from
  std::string relative;   // below the folder or in the archive; the name itself for a file
  std::string folder;     // of `relative`: its class
  std::string path;       // for messages, too
  std::optional<std::size_t> member = {};  // of an archive
};

struct PictureList {
  std::vector<PictureFile> files;
  std::int64_t skipped = 0;  // names that begin with a dot, and __MACOSX folders
};

// `members` is the pattern of names that are taken from archives. Unpacks those.
[[nodiscard]] PictureList list_pictures(Inputs& inputs, const std::string& members);

}  // namespace logpx
