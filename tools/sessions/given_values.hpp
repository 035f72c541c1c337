// Evidence about the columns of a table in words, --given 'age>=40,job=clerk', as a model reads it:
// single values, and regions of others.
//
//   const GivenValues given({"--given", queries, info}, texts);
//   given.put_into(rows);   // in the place of what the rows have there
#pragma once

#include "libcore/data/column_conditions.hpp"
#include "libcore/model/queries.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace logpx {

class GivenValues {
 public:
  struct Reader {
    std::string option;  // for messages
    const ModelQueries& queries;
    const DatasetInfo& info;  // of rows
  };
  // A usage error for what is no evidence about these columns, a numeric one for what no row has.
  GivenValues(const Reader& reader, const std::vector<std::string>& texts);

  // In every row, in the place of what is there.
  void put_into(Evidence& rows) const;
  // Beside what is there, as an event: only rows that agree with both have a probability. A usage
  // error for one real number, which has none.
  void require(Evidence& rows) const;

 private:
  struct Value {
    std::int64_t place = 0;
    std::string text = {};
    ValueRegion region = {};
    std::optional<std::int32_t> category = {};  // where there is but one
    std::optional<double> number = {};
    bool has_density = false;
  };
  [[nodiscard]] static Value value_of(const Reader& reader, const ColumnCondition& condition);

  std::string option_;
  std::vector<Value> values_;
};

}  // namespace logpx
