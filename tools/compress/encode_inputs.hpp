// The files that bits-back-encode is given, opened as members of an archive.
#pragma once

#include "libcore/model/codec.hpp"
#include "tools/compress/coding.hpp"
#include "tools/compress/member_input.hpp"
#include "tools/compress/operands.hpp"

#include <cstdint>
#include <memory>
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

  // By the units of `coding`; rows of a dataset as the model of `reader` reads them.
  [[nodiscard]] std::unique_ptr<MemberInput> open(const std::string& file, const Coding& coding,
                                                  const Coding& reader) const;
  // The first items of the first file that has any, to choose settings by. Streams are left alone,
  // and what is wrong with a file is said when its turn comes.
  [[nodiscard]] std::vector<std::uint8_t> sample(const std::vector<std::string>& files,
                                                 const ModelCodec& codec,
                                                 const archive::CodingUnits& units,
                                                 std::int64_t items) const;

 private:
  [[nodiscard]] std::unique_ptr<MemberInput> open_as(const std::string& file,
                                                     const archive::CodingUnits& units,
                                                     const ModelCodec* codec,
                                                     const Note& note) const;

  App& app_;
  const EncodeOptions& options_;
};

}  // namespace logpx::compress
