// Which parts of a row are given, where the data have no code for a missing value: --known.
//   rows:A-B, cols:A-B   of a picture, A to B, both included
//   every:K              every K-th place of the row: 0, K, 2K ...
//   FILE                 a mask of the data's shape, which the caller reads
//   a,b                  columns of a table, by their names
#pragma once

#include "libcore/data/dataset.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace logpx {

struct KnownPart {
  enum class Kind { rows, columns, every, file };
  Kind kind = Kind::every;
  std::int64_t first = 0, last = 0;  // of rows and columns
  std::int64_t step = 1;
  std::string file = {};
};
// A usage error that names --known. A text that is not a rule is the name of a file.
[[nodiscard]] KnownPart parse_known(const std::string& text);

// 1 where a value of the row is given, [dims] in stored order; not for Kind::file. A usage error
// where the data have no such rows or columns.
[[nodiscard]] std::vector<std::uint8_t> known_places(const KnownPart& part,
                                                     const DatasetInfo& info);
// The same for a list of these columns; nothing for a text that names none of them. A usage error
// where it names others, too.
[[nodiscard]] std::optional<std::vector<std::uint8_t>> known_columns(
    const std::string& text, const std::vector<std::string>& names);
// The same from the values of a mask; a data error that names `file` for another size, or values
// other than 0 and 1.
[[nodiscard]] std::vector<std::uint8_t> known_places(std::span<const float> mask,
                                                     const DatasetInfo& info,
                                                     const std::string& file);

}  // namespace logpx
