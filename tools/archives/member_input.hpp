// An operand of bits-back-encode as a member of an archive: its kind, from its first bytes and
// never from its name, and the bytes that are cut into blocks.
#pragma once

#include "formats/archive/content.hpp"
#include "tools/archives/source_file.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace logpx::compress {

class MemberInput {
 public:
  virtual ~MemberInput() = default;
  [[nodiscard]] virtual const archive::Member& member() const = 0;
  [[nodiscard]] virtual std::string name() const = 0;  // for messages
  // Gives the splitter its bytes, from the beginning; may be called once.
  [[nodiscard]] virtual archive::ByteSupply supply() = 0;
  // The same file as bytes, if coding it by its kind might cost more; supply() may then be called
  // again.
  [[nodiscard]] virtual std::unique_ptr<MemberInput> as_bytes() { return nullptr; }
  // Once all has been read.
  [[nodiscard]] virtual archive::MemberEnd end() = 0;
  [[nodiscard]] virtual std::uint64_t bytes_read() const = 0;
  // Done after success, with --rm.
  [[nodiscard]] virtual Removal removal() const {
    return [](const Note&) {};
  }
};

// How PNG files are coded: as bytes; as pixels if that restores the file; always as pixels.
enum class Pictures { bytes, exact, pixels };

// Why a file is coded as bytes although it holds more.
enum class AsBytes {
  foreign_png,  // its pixels do not determine its bytes
  odd_png,      // damaged, interlaced, or larger than any that is read
  memory        // its raster takes too much memory
};
enum class Times { kept, left_out };  // and permissions
struct Recognition {
  const archive::CodingUnits& units;
  std::string name = {};  // of the member
  Times times = Times::kept;
  Pictures pictures = Pictures::exact;
  std::uint64_t memory = std::uint64_t{2} << 30;  // that rasters may take
  std::function<void(AsBytes)> tell = [](AsBytes) {};
};
[[nodiscard]] std::unique_ptr<MemberInput> recognise(std::unique_ptr<SourceFile> file,
                                                     const Recognition& how);

}  // namespace logpx::compress
