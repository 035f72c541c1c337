#include "libcore/data/row_choice.hpp"

namespace logpx {

RowChoice::Options RowChoice::describe(Fields& f, const std::string& to_do) {
  Field& rows = f.add("rows", range, to_do + " rows A to B-1 only");
  rows.metavar("A:B").rank(Rank::manual);
  Field& first = f.add("limit", limit, to_do + " the first N of these");
  first.metavar("N").at_least(1);
  return {rows, first};
}

}  // namespace logpx
