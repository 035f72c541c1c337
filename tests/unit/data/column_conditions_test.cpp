// Conditions on columns, as people write them.
#include "libcore/data/column_conditions.hpp"

#include "libcore/base/error.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace logpx::column_conditions_test {

namespace {

DatasetInfo table() {
  DatasetInfo info;
  info.content = Content::vector;
  info.element = Element::f32;
  info.shape = {5};
  info.column_names = {"age", "job", "size", "when", "a,b"};
  info.column_forms = {{.kind = ColumnKind::whole},
                       {.kind = ColumnKind::word},
                       {.kind = ColumnKind::ordered},
                       {.kind = ColumnKind::date, .origin = 18262, .form = "%d/%m/%Y"},
                       {.kind = ColumnKind::number, .decimals = 2, .form = "thousands"}};
  info.column_words.add_column({});
  const std::vector<std::string> jobs = {"clerk", "nurse", "cook, chief"},
                                 sizes = {"small", "medium", "large"};
  info.column_words.add_column(jobs);
  info.column_words.add_column(sizes);
  info.column_words.add_column({});
  info.column_words.add_column({});
  return info;
}

std::vector<ColumnCondition> read(const std::vector<std::string>& texts) {
  const DatasetInfo info = table();
  return read_conditions({"--given", info, info.column_names}, texts);
}

std::string refused(const std::string& text) {
  try {
    static_cast<void>(read({text}));
  } catch (const Error& error) {
    return error.message();
  }
  return "";
}

}  // namespace

TEST_CASE("conditions: sets and ranges of columns, which hold together") {
  const auto all = read({"job=nurse|clerk, age>=40", "age<60"});
  REQUIRE(all.size() == 2);
  CHECK(all[0].column == 0);
  CHECK(all[0].low == 40);
  CHECK(all[0].high == 60);
  CHECK(all[0].in_range(40));
  CHECK_FALSE(all[0].in_range(60));
  CHECK(all[0].text == "age>=40,age<60");
  CHECK(all[1].values == std::vector<double>{0, 1});
}

TEST_CASE("conditions: values are cells of their column; dates may be as ISO has them") {
  CHECK(read({"when>=03/01/2020"})[0].low == 2);
  CHECK(read({"when>=2020-01-03"})[0].low == 2);
  CHECK(read({"size>small"})[0].low == 0);
  CHECK(read({R"("a,b">=1,234.5,age=3)"})[1].low == 1234.5);
  CHECK(read({"job=cook, chief"})[0].values == std::vector<double>{2});
  CHECK(read({R"(job="cook, chief"|clerk)"})[0].values == std::vector<double>{0, 2});
  CHECK(read({"age>40,age<50,age=40|45|50"})[0].values == std::vector<double>{45});
}

TEST_CASE("conditions: what makes no sense is refused, and the words say what was meant") {
  CHECK(refused("age>=60,age<40").find("upside down") != std::string::npos);
  CHECK(refused("age>40,age<40").find("upside down") != std::string::npos);
  CHECK(refused("jbo=clerk").find("did you mean job?") != std::string::npos);
  CHECK(refused("job=clark").find("did you mean clerk?") != std::string::npos);
  CHECK(refused("job>clerk").find("no order") != std::string::npos);
  CHECK(refused("age>=forty").find("is no number") != std::string::npos);
  CHECK(refused("when>2020").find("such as 01/01/2020") != std::string::npos);
  CHECK(refused("age").find("is no condition") != std::string::npos);
  CHECK(refused("age=").find("no value") != std::string::npos);
  CHECK(refused("age>3|4").find("several values") != std::string::npos);
  CHECK(refused("job=clerk,job=nurse").find("at once") != std::string::npos);
  CHECK(refused("age=40,age>50").find("leaves no value") != std::string::npos);
  CHECK(refused(R"(job="clerk)").find("not closed") != std::string::npos);
}

}  // namespace logpx::column_conditions_test
