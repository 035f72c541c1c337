// A table of numbers as other programs keep it, CSV or npy, in memory, with the place of each row
// for messages.
//
//   const NumberTable table = read_number_table("density.csv");
//   if (table.at(i, 1) < 0) fail(ErrorKind::data, table.place(i), "is negative");
#pragma once

#include "formats/import/byte_source.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace logpx {

struct NumberTable {
  std::string name = {};                       // of the file, for messages
  SourceFile source = {};                      // its size and hash
  std::vector<std::string> column_names = {};  // from the first line of a CSV that has names
  std::int64_t rows = 0, columns = 0;
  std::vector<double> values = {};  // [rows, columns]; NaN where a field of a CSV is empty
  // The rows at which a new run of consecutive CSV lines begins, with their lines; none: npy.
  std::vector<std::pair<std::int64_t, std::uint64_t>> lines = {};

  [[nodiscard]] double at(std::int64_t row, std::int64_t column) const {
    return values[static_cast<std::size_t>(row * columns + column)];
  }
  [[nodiscard]] std::string place(std::int64_t row) const;  // "d.csv:7", "d.npy: row 6"
  [[nodiscard]] std::string shape_text() const;             // "[100, 2]"
};

// The first bytes decide whether it is npy or CSV; "-" is stdin. An npy array has one or two
// dimensions. Anything else, a field that is no number, and rows of unequal length are data errors.
[[nodiscard]] NumberTable read_number_table(ByteSource source);
[[nodiscard]] inline NumberTable read_number_table(const std::string& path) {
  return read_number_table(ByteSource(path));
}

}  // namespace logpx
