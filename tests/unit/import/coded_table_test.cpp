// csv --categorical.
#include "formats/import/coded_table.hpp"
#include "libcore/base/error.hpp"
#include "tests/support/foreign_files.hpp"

#include <doctest/doctest.h>

namespace logpx::coded_table_test {

using namespace logpx::testing;

namespace {

using Words = std::vector<std::string>;

Packed table(const std::string& text, const Words& categorical, Missing missing = Missing::error) {
  ImportOptions options;
  options.categorical = categorical;
  options.missing = missing;
  return pack("csv", bytes_of(text), options);
}

std::string trouble(const std::string& text, const Words& categorical,
                    Missing missing = Missing::error) {
  ImportOptions options;
  options.categorical = categorical;
  options.missing = missing;
  return error_of("csv", bytes_of(text), options);
}

constexpr const char* pets =
    "kind,legs,colour\ndog,4,red\ncat,4,\"light, blue\"\nbird,2,red\ncat,3,green\n";

}  // namespace

TEST_CASE("csv: columns of words are the numbers of their words in the order of their bytes") {
  for (const Words& asked : {Words{"auto"}, Words{"kind", "colour"}, Words{"1", "3"}}) {
    const Packed packed = table(pets, asked);
    CHECK(packed.info.content == Content::symbols);
    CHECK(packed.info.element == Element::u8);
    CHECK(packed.info.column_names == Words{"kind", "legs", "colour"});
    CHECK(packed.info.column_words.words ==
          Words{"bird", "cat", "dog", "green", "light, blue", "red"});
    CHECK(packed.info.column_words.counts == std::vector<std::int64_t>{3, 0, 3});
    CHECK(packed.info.levels == 5);
    CHECK(packed.info.value_max == 4);
    CHECK(packed.info.n == 4);
    CHECK(packed.x() == std::vector<int>{2, 4, 2, 1, 4, 1, 0, 2, 2, 1, 3, 0});
  }
}

TEST_CASE("csv: a column that --categorical names holds words though they look like numbers") {
  const Packed packed = table("code,n\n07,1\n7,0\n1e1,1\n", {"code"});
  CHECK(packed.info.column_words.words == Words{"07", "1e1", "7"});
  CHECK(packed.x() == std::vector<int>{0, 1, 2, 0, 1, 1});
  const Packed numbers = table("code,n\n07,1\n7,0\n1e1,1\n", {"auto"});
  CHECK(numbers.info.column_words.empty());
  CHECK(numbers.x() == std::vector<int>{7, 1, 7, 0, 10, 1});
}

TEST_CASE("csv: words and numbers that are missing stay so, or their rows go") {
  const std::string holes = "kind,n\ndog,1\n,2\ncat,\nNA,300\n";
  const Packed kept = table(holes, {"auto"}, Missing::keep);
  CHECK(kept.info.has_missing);
  CHECK(kept.info.element == Element::i16);
  CHECK(kept.info.levels == 301);
  const auto x = kept.rows.values<std::int16_t>();
  CHECK(std::vector<int>(x.begin(), x.end()) == std::vector<int>{1, 1, -1, 2, 0, -1, -1, 300});
  const Packed dropped = table(holes, {"auto"}, Missing::drop_row);
  CHECK(dropped.x() == std::vector<int>{0, 1});
  CHECK(dropped.rows.source == std::vector<std::int64_t>{0});
  CHECK(dropped.info.levels == 2);
  CHECK(trouble(holes, {"auto"}) ==
        "data|a:3: column 1 (kind) is empty|--missing drop-row, or --missing keep");
}

TEST_CASE("csv: many different values make wider elements, and labels go with their rows") {
  std::string text = "word,y\n";
  for (int i = 0; i < 300; ++i) text += 'w' + std::to_string(i) + ',' + std::to_string(i) + '\n';
  ImportOptions options;
  options.categorical = {"word"};
  options.label_column = "y";
  const Packed packed = pack("csv", bytes_of(text), options);
  CHECK(packed.info.element == Element::u16);
  CHECK(packed.info.levels == 300);
  REQUIRE(packed.rows.y.size() == 300);
  CHECK(packed.rows.y[299] == 299);
  CHECK(packed.rows.values<std::uint16_t>()[10] == 2);  // w0, w1, w10 ...
}

TEST_CASE("csv: rows of several files share their words, and are given in their order") {
  std::vector<Input> inputs;
  inputs.emplace_back("a", bytes_of("kind\ndog\n"));
  inputs.emplace_back("b", bytes_of("kind\nant\ndog\n"));
  ImportOptions options;
  options.categorical = {"auto"};
  CHECK(pack("csv", std::move(inputs), options).x() == std::vector<int>{1, 0, 1});
}

TEST_CASE("csv: a table of words beside real numbers holds the numbers of the words as reals") {
  const std::string mixed = "kind,height,legs\ndog,60.5,4\ncat,,4\n,-1,2\n";
  for (const Words& asked : {Words{"auto"}, Words{"kind"}}) {
    const Packed packed = table(mixed, asked, Missing::keep);
    CHECK(packed.info.content == Content::vector);
    CHECK(packed.info.element == Element::f32);
    CHECK(packed.info.measure == Measure::lebesgue);
    CHECK(packed.info.levels == 0);
    CHECK(packed.info.is_table());
    CHECK(packed.info.column_words.words == Words{"cat", "dog"});
    CHECK(packed.info.column_words.counts == std::vector<std::int64_t>{2, 0, 0});
    const std::vector<float> x = packed.reals();
    REQUIRE(x.size() == 9);
    CHECK(std::isnan(x[4]));
    CHECK(std::isnan(x[6]));
    const std::vector<float> known = {1, 60.5F, 4, 0, 4, -1, 2};
    std::vector<float> there;
    for (const float value : x)
      if (!std::isnan(value)) there.push_back(value);
    CHECK(there == known);
  }
  CHECK(table("a,b\n1,2\n3,2.5\n", {"auto"}).reals() == std::vector<float>{1, 2, 3, 2.5F});
}

TEST_CASE("csv: a column of real numbers may have any number of different values") {
  std::string text = "kind,x\n";
  constexpr int count = 33000;
  for (int i = 0; i < count; ++i)
    text += (i % 3 == 0 ? "a," : "b,") + (i == count - 2 ? "" : std::to_string(i) + ".25") + '\n';
  const std::vector<float> x = table(text, {"auto"}, Missing::keep).reals();
  REQUIRE(x.size() == 2 * count);
  for (int i = 0; i < count; ++i)
    if (i != count - 2)
      REQUIRE(x[2 * static_cast<std::size_t>(i) + 1] == static_cast<float>(i) + 0.25F);
  CHECK(std::isnan(x[2 * (count - 2) + 1]));
  CHECK(x[2 * (count - 1)] == (count % 3 == 1 ? 0 : 1));
  CHECK(trouble(text + "a,word\n", {"auto"}, Missing::keep) ==
        "data|a:33002: column 2 (x) has more than 32768 different values|--columns leaves it out");
}

TEST_CASE("csv: whole numbers that float32 does not hold are refused, others are rounded") {
  const std::string hint =
      "' is a whole number that float32 does not hold|--columns leaves it out; written with a "
      "point, as in 16777217.0, it is rounded";
  for (const Words& asked : {Words{"auto"}}) {
    CHECK(trouble("a,b\n0.5,16777216\n1.5,16777217\n", asked) ==
          "data|a:3: column 2 (b): '16777217" + hint);
    CHECK(trouble("a,b\n0.5,-9007199254740993\n", asked) ==
          "data|a:2: column 2 (b): '-9007199254740993" + hint);
    CHECK(trouble("a,b\n0.5,99999999999999999999\n", asked) ==
          "data|a:2: column 2 (b): '99999999999999999999" + hint);
    CHECK(table("a,b\n0.5,16777216\n1.5,16777217.0\n", asked).reals() ==
          std::vector<float>{0.5F, 16777216, 1.5F, 16777216});
  }
}

TEST_CASE("csv: numbers that a word for missing makes words of are a doubt, real words are none") {
  const Words& doubts = table("a,b\n1,x\n2,y\n?,?\n", {"auto"}).record.warnings;
  REQUIRE(doubts.size() == 1);
  CHECK(doubts[0] ==
        "column 1 (a): '?' makes words of its numbers; --na '?' --missing drop-row if it stands "
        "for a missing value");
  CHECK(table("a,b\n1,x\n2,y\nthree,?\n", {"auto"}).record.warnings.empty());
  CHECK(table("a,b\n1,x\n2,y\n?,?\n", {"a", "b"}).record.warnings.empty());
}

TEST_CASE("csv: a first line that holds what is measured is a doubt") {
  const auto warnings = [](const std::string& text, bool header) {
    ImportOptions options;
    options.header = header;
    return pack("csv", bytes_of(text), options).record.warnings;
  };
  CHECK(warnings("5.1,3.5\n4.9,3.0\n", true) ==
        Words{"a: its first line holds numbers alone, and is taken for names of columns; "
              "--no-header reads it as a row"});
  CHECK(warnings("5.1,3.5\n4.9,3.0\n", false).empty());
  CHECK(warnings("x,2020\n4.9,3.0\n", true).empty());
  CHECK(warnings("0.5,red\n4.9,blue\n", true) ==
        Words{"a: its first line holds the number 0.5, and is taken for names of columns; "
              "--no-header reads it as a row"});
}

TEST_CASE("csv: what no table of words and numbers holds is refused by column and line") {
  const std::string hint =
      "|--categorical with its name keeps the values as words, --columns leaves it out";
  const auto as_symbols = [](const std::string& text, Missing missing) {
    ImportOptions options;
    options.categorical = {"a"};
    options.content = Reading::symbols;
    options.missing = missing;
    return error_of("csv", bytes_of(text), options);
  };
  CHECK(as_symbols("a,b\nx,1\ny,2.5\n", Missing::error) ==
        "data|a:3: column 2 (b): '2.5' is not a whole number in 0..65535" + hint);
  CHECK(as_symbols("a,b\nx,1\ny,-1\n", Missing::error) ==
        "data|a:3: column 2 (b): '-1' is not a whole number in 0..65535" + hint);
  CHECK(as_symbols("a,b\nx,1\ny,40000\n", Missing::keep) ==
        "data|a:3: column 2 (b): '40000' is not a whole number in 0..32767" + hint);
  CHECK(trouble("a,b\nx,1\ny,1e99\n", {"auto"}) ==
        "data|a:3: column 2 (b): '1e99' is beyond float32|");
  CHECK(trouble("a,b\nx,1\ny,?\n", {"a"}) ==
        "data|a:3: column 2 (b): '?' is not a number|--na '?' --missing drop-row if it stands for "
        "a missing value, --categorical with its name keeps the values as words, --columns leaves "
        "it out");
  CHECK(trouble("a,b\nx,1\ny,z\n", {"a"}) == "data|a:3: column 2 (b): 'z' is not a number" + hint);
  CHECK(trouble("a,b\n", {"auto"}) == "data|a: no rows|");
  std::string text = "a\n";
  for (int i = 0; i <= 32768; ++i) text += 'w' + std::to_string(i) + '\n';
  CHECK(trouble(text, {"auto"}, Missing::keep) ==
        "data|a:32770: column 1 (a) has more than 32768 different values|--columns leaves it out");
  CHECK(trouble(text, {"auto"}).empty());
}

TEST_CASE("csv: --categorical goes with options that make a table of it") {
  const auto refused = [](const auto& change) {
    ImportOptions options;
    options.categorical = {"kind"};
    change(options);
    return error_of("csv", bytes_of(pets), options);
  };
  CHECK(refused([](ImportOptions& o) { o.columns = {"legs"}; }) ==
        "usage|--categorical: column 1 (kind) is not among the columns that are taken|");
  CHECK(refused([](ImportOptions& o) {
          o.shape = {3, 1};
        }) == "usage|--categorical makes a table, and --shape images|");
  CHECK(refused([](ImportOptions& o) { o.content = Reading::vector; }) ==
        "usage|--categorical makes a table; --content says otherwise|");
  CHECK(refused([](ImportOptions& o) {
          o.levels = 2;
          o.categorical = {"auto"};
        }) == "usage|--levels: is 2, and column 2 (legs) has values up to 4|");
  CHECK(refused([](ImportOptions& o) {
          o.levels = 9;
          o.categorical = {"auto"};
        }).empty());
}

}  // namespace logpx::coded_table_test
