// The files given to bits-back-encode, opened as members of an archive. Files that are coded as
// bytes although they hold more are noted, and reported once.
#pragma once

#include "libcore/model/codec.hpp"
#include "tools/archives/coding.hpp"
#include "tools/archives/member_input.hpp"
#include "tools/compress/input_files.hpp"

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
