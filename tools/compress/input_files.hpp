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

// Names of an archive that all share (-o) are the paths as given, so that they are kept apart; of
// those that lead elsewhere ("/x/a", "../a") the last part, or all behind the root where two would
// be called the same. In an archive of its own a file is called as it lies beside that archive.
[[nodiscard]] std::vector<InputFile> input_files(App& app, const EncodeOptions& options,
                                                 const Operands& operands);

}  // namespace logpx::compress
