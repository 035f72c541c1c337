// A suffix is a promise: the name of an output chooses its format, or is refused.
#pragma once

#include "libcore/base/fields.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace logpx {

// Formats are named by their best known suffix: "h5", "svg". What people call it: "HDF5".
[[nodiscard]] std::string format_title(std::string_view format);
// The format that a name promises, whatever the case and spelling of its suffix ("A.HDF5" is h5);
// empty for names without a suffix and for suffixes that nobody knows.
[[nodiscard]] std::string promised_format(std::string_view path);

struct FormatChoice {
  std::vector<std::string> formats;  // a stream gets the first; none: any name will do
  std::string option = {};  // "--format": chooses where the name does not; empty: none does
  std::string wanted = {};  // the format that was asked for by that option; empty: none
};
// The format for an output of this name. Where the first format is an artifact's (HDF5), a name
// that promises nothing gets that. A suffix that promises another format, and a name that leaves
// several open, are usage errors that say which name to give.
[[nodiscard]] std::string format_for(const std::string& path, const FormatChoice& choice);

// The help of an output field about its formats, and of the option that chooses among them.
[[nodiscard]] FormatChoice format_choice(const Fields& fields, const Field& output);

}  // namespace logpx
