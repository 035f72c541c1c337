#include "tools/frame/report_table.hpp"

#include "libcore/base/number_text.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace logpx::report_table_test {
namespace {

std::string table(const std::string& answers, std::size_t columns) {
  return report_table(
      Json::parse(R"({"inputs": [], "result": {"answers": )" + answers + "}}", "test"), columns);
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("report table: columns that do not fit follow below, beside the first one") {
  const std::string shown = table(
      R"([{"row": 0, "petal_length": 1.5, "petal_width": 0.2, "species": "setosa"},
          {"row": 1, "petal_length": 4.7, "petal_width": 1.4, "species": "versicolor"}])",
      40);
  CHECK(shown ==
        "\nanswers:\n"
        "  row  petal_length  petal_width\n"
        "    0           1.5          0.2\n"
        "    1           4.7          1.4\n"
        "\n"
        "  row  species\n"
        "    0  setosa\n"
        "    1  versicolor\n");
}

TEST_CASE("report table: a cell that is wider than the terminal takes several lines") {
  const std::string shown =
      table(R"([{"latent": 3, "formula": "0.25 exp(-z^2) + 1.5 cos(z) - 0.125 z^4 + 3 z"}])", 40);
  CHECK(shown ==
        "\nanswers:\n"
        "  latent  formula\n"
        "       3  0.25 exp(-z^2) + 1.5 cos(z) -\n"
        "          0.125 z^4 + 3 z\n");
}

TEST_CASE("report table: a list of objects inside a row is counted") {
  const std::string shown = table(R"([{"latent": 3, "candidates": [{"a": 1}, {"a": 2}]}])", 40);
  CHECK(has(shown, "       3  2 items\n"));
}

TEST_CASE("report table: of very many columns it says how many are left out and who has them") {
  std::string row = R"({"row": 0)";
  for (int i = 0; i < 200; ++i) row += ", \"pixel_" + std::to_string(i) + "\": 1";
  const std::string shown = table('[' + row + "}]", 80);
  CHECK(has(shown, "pixel_0  "));
  CHECK(has(shown, "columns more, from pixel_"));
  CHECK(has(shown, "to pixel_199, which --json"));
  const std::vector<std::string> lines = split_text(shown, '\n');
  CHECK(std::ranges::all_of(lines, [](const std::string& line) { return width_of(line) <= 80; }));
}

}  // namespace
}  // namespace logpx::report_table_test
