// The files that bits-back-encode codes: its operands, and for a folder all files in it, in the
// order of their names; and the name of each in an archive.
#pragma once

#include "tools/compress/operands.hpp"

#include <string>
#include <vector>

namespace logpx::compress {

struct InputFile {
  std::string path;    // the file; "-" is stdin, FILE.h5:SPLIT a dataset
  std::string name;    // in the archive; empty for stdin
  std::string target;  // of its own archive, without the suffix; "-" is stdout
};

// In a shared archive (-o) names are the paths as given, which keeps them apart; paths that lead
// elsewhere ("/x/a", "../a") are cut to the last part, or to all after the root if two names would
// be equal. In a separate archive a file keeps the name that it has next to that archive, or below
// --output-dir, where equal names are kept apart in the same way.
[[nodiscard]] std::vector<InputFile> input_files(App& app, const EncodeOptions& options,
                                                 const Operands& operands);

}  // namespace logpx::compress
