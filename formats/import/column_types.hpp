// What a user says that columns of a table hold: --type.
//
//   const auto types = column_types({"zip=word", "size=ordered:small<medium<large"});
//   const auto same = column_types({"t.json"});   // columns as inspect lists them, or its report
#pragma once

#include "libcore/data/columns.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace logpx {

struct ColumnType {
  std::string name;  // or number from 1, as --columns takes them
  ColumnKind kind = ColumnKind::number;
  std::string form = {};                // of dates and numbers; empty: found in the cells
  std::vector<std::string> words = {};  // in their order; others are refused
  // From a file of JSON alone, so that other rows are stored as those of a dataset are.
  std::optional<double> origin = {}, step = {};
  std::optional<std::int64_t> decimals = {};
};

// A usage error for a text that says no kind, a data error for a file that lists no columns.
[[nodiscard]] std::vector<ColumnType> column_types(const std::vector<std::string>& option);

}  // namespace logpx
