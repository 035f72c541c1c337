#include "libcore/data/row_choice.hpp"

#include <doctest/doctest.h>

namespace logpx::row_choice_test {

TEST_CASE("row choice: --rows and --limit are described alike wherever they stand") {
  RowChoice choice;
  CHECK_FALSE(choice.chosen());
  Fields fields;
  const RowChoice::Options options = choice.describe(fields, "train on");
  CHECK(options.rows.help() == "train on rows A to B-1 only");
  CHECK(options.limit.help() == "train on the first N of these");
  fields.set("rows=3:7", Origin::option);
  CHECK(choice.chosen());
  CHECK(choice.range->begin == 3);
  CHECK(choice.range->end == 7);
  fields.set("limit=2", Origin::option);
  CHECK(*choice.limit == 2);
  CHECK_THROWS(fields.set("limit=0", Origin::option));
}

}  // namespace logpx::row_choice_test
