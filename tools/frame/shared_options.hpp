// Options that several tools share, each with one word, one meaning and one description. DataChoice
// and RowChoice hold further ones.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace logpx {

class Field;
class Fields;
struct RowRange;

// -o PATH, under the heading "output". `formats` and `chooser` as in Field::writes.
struct OutputForm {
  std::vector<std::string> formats = {};
  std::string chooser = {};
};
Field& describe_output(Fields& fields, std::string& output, const std::string& help,
                       const OutputForm& form);

// --rows of a tool that makes them; RowChoice has those of tools that read them.
Field& describe_made_rows(Fields& fields, std::optional<RowRange>& rows);

// --binarise: how the rows of a dataset are read, if not as in training.
Field& describe_reading(Fields& fields, std::optional<std::string>& binarise);

}  // namespace logpx
