// Columns of the input that are copied into the lines of an answer: --keep.
//
//   const KeptColumns kept({"id", "name"}, open);
//   const std::string& name = kept.name(0);   // "id"
//   const Json cell = kept.cell(0, 17);       // what row 17 has there
#pragma once

#include "formats/json/value.hpp"
#include "tools/sessions/query_input.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace logpx {

class KeptColumns {
 public:
  // Throws a usage error for a name that the input does not have. Of a table in CSV all columns can
  // be kept, of a dataset those that it holds.
  KeptColumns(const std::vector<std::string>& names, const OpenQuery& open);

  [[nodiscard]] std::size_t count() const { return names_.size(); }
  [[nodiscard]] const std::string& name(std::size_t column) const { return names_[column]; }
  // As the input has it: a number if all cells of the column are written as numbers are in JSON.
  [[nodiscard]] const Json& cell(std::size_t column, std::int64_t row) const {
    return cells_[column][static_cast<std::size_t>(row - begin_)];
  }

 private:
  void take_cells(std::vector<std::string> texts);

  std::vector<std::string> names_;
  std::vector<std::vector<Json>> cells_ = {};  // by column and row
  std::int64_t begin_;
};

}  // namespace logpx
