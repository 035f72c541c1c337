#include "tools/frame/shared_options.hpp"

#include "libcore/base/fields.hpp"

namespace logpx {

Field& describe_output(Fields& f, std::string& output, const std::string& help,
                       const OutputForm& form) {
  f.group("output");
  return f.add("output", output, help)
      .short_name('o')
      .metavar("PATH")
      .output()
      .writes(form.formats, form.chooser);
}

Field& describe_made_rows(Fields& f, std::optional<RowRange>& rows) {
  return f.add("rows", rows, "samples A to B-1, the same as in the whole run")
      .metavar("A:B")
      .shows_default("all");
}

Field& describe_reading(Fields& f, std::optional<std::string>& binarise) {
  return f.add("binarise", binarise, "how the data are read: none, threshold[:T] or static")
      .metavar("RULE")
      .shows_default("as in training")
      .rank(Rank::manual);
}

}  // namespace logpx
