// What bits-back-encode is to code: its operands, and for a folder all files in it, in the order of
// their names; and what each is called in an archive.
#pragma once

#include "tools/compress/operands.hpp"

#include <string>
#include <vector>

namespace logpx::compress {

struct InputFile {
  std::string path;    // where it lies; "-" is stdin, FILE.h5:SPLIT a dataset
  std::string name;    // in the archive; empty for stdin
  std::string target;  // of its own archive, without the suffix; "-" is stdout
};

// Names in an archive that files share (-o) are their paths as given, so that they are kept apart;
// paths that lead elsewhere ("/x/a", "../a") are cut to the last part, or to all after the root
// where two would be called the same. In an archive of its own a file has the name that it has next
// to that archive, or below --output-dir, where files that share a name are kept apart likewise.
[[nodiscard]] std::vector<InputFile> input_files(App& app, const EncodeOptions& options,
                                                 const Operands& operands);

}  // namespace logpx::compress
