// The files given to bits-back-encode, opened as members of an archive. Files that are coded as
// bytes although they hold more are noted, and reported once.
#pragma once

#include "libcore/model/codec.hpp"
#include "tools/archives/coding.hpp"
#include "tools/archives/member_input.hpp"
#include "tools/compress/operands.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace logpx {
class App;
}

namespace logpx::compress {

// The files that bits-back-encode codes: its operands, and for a folder all files in it, in the
// order of their names; and the name of each in an archive.
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

// A file that may be opened twice, and removed.
[[nodiscard]] bool is_plain(const std::string& file);

class EncodeInputs {
 public:
  EncodeInputs(App& app, const EncodeOptions& options) : app_(app), options_(options) {}

  // Uses the units of `coding`; rows of a dataset are read as the model of `reader` reads them.
  [[nodiscard]] std::unique_ptr<MemberInput> open(const InputFile& file, const Coding& coding,
                                                  const Coding& reader);
  // The first items of the first file that has any, to choose settings by. Streams are not read,
  // and a bad file is reported when its turn comes.
  [[nodiscard]] std::vector<std::uint8_t> sample(const std::vector<InputFile>& files,
                                                 const ModelCodec& codec,
                                                 const archive::CodingUnits& units,
                                                 std::int64_t items) const;

  // Reports one line of each kind, with a count.
  void tell() const;

 private:
  using Told = std::function<void(AsBytes)>;
  [[nodiscard]] std::unique_ptr<MemberInput> open_as(const InputFile& file,
                                                     const archive::CodingUnits& units,
                                                     const ModelCodec* codec,
                                                     const Told& told) const;

  App& app_;
  const EncodeOptions& options_;
  std::map<AsBytes, std::set<std::string>> as_bytes_;  // a file may be opened twice
};

}  // namespace logpx::compress
