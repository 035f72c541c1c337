// The formats of foreign files, one entry each: what pack-data, `auto`, help and messages know of
// them. An entry is made beside its reader, and formats.cpp lists it. Little is included here, so
// that whoever looks at the first bytes of a file may ask.
//
//   if (const ImportFormat* format = find_format("idx")) use(format->options);
#pragma once

#include "libcore/base/choice.hpp"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace logpx {

class Importer;
class Input;
struct ImportOptions;
using Inputs = std::vector<Input>;

// What a kind of file begins with.
struct FirstBytes {
  std::string_view called;  // "a PNG picture"
  std::string_view magic;
  bool (*is)(std::string_view first) = nullptr;  // looks further; null: the magic is enough
};

struct ImportFormat {
  std::string_view word;                  // as a user types it
  std::string_view says;                  // what it is, in one clause
  std::vector<FirstBytes> known_by = {};  // none: `auto` does not find it, and says so
  bool folders = false;                   // takes folders, and `auto` takes folders for it
  std::string_view zip_of = {};           // a zip of files of that format is one of this
  std::vector<std::string_view> options;  // that it takes, as ImportOptions describes them
  // Gets the inputs as the user gave them: archives are its own to unpack.
  std::unique_ptr<Importer> (*open)(Inputs inputs, const ImportOptions& options);

  [[nodiscard]] bool takes(std::string_view option) const;
};

// In the order in which people see them.
[[nodiscard]] std::span<const ImportFormat> import_formats();
[[nodiscard]] std::vector<Choice> format_choices();  // `auto` first
// Null for other words, and for `auto`.
[[nodiscard]] const ImportFormat* find_format(std::string_view word);
// The words of the formats that take an option: none if it is no option of theirs.
[[nodiscard]] std::vector<std::string> formats_with(std::string_view option);

}  // namespace logpx
