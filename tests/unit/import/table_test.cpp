// csv without an option: columns are what their cells are.
#include "libcore/base/error.hpp"
#include "libcore/data/column_cells.hpp"
#include "tests/support/foreign_files.hpp"
#include "tests/support/scratch_folder.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>

namespace logpx::table_test {

using namespace logpx::testing;
using enum ColumnKind;

namespace {

using Words = std::vector<std::string>;

Packed table(const std::string& text, const Words& types = {}) {
  ImportOptions options;
  options.type = types;
  return pack("csv", bytes_of(text), options);
}

std::string trouble(const std::string& text, const Words& types = {}) {
  ImportOptions options;
  options.type = types;
  return error_of("csv", bytes_of(text), options);
}

std::vector<ColumnKind> kinds_of(const Packed& packed) {
  std::vector<ColumnKind> kinds;
  for (const ColumnForm& form : packed.info.column_forms) kinds.push_back(form.kind);
  return kinds;
}

// The cells of a column as they are written again.
Words cells_of(const Packed& packed, std::int64_t column) {
  const ColumnCells cells(packed.info);
  const std::int64_t dims = packed.info.dims();
  Words texts;
  for (std::int64_t row = 0; row < packed.info.n; ++row) {
    const auto i = static_cast<std::size_t>(row * dims + column);
    texts.push_back(cells.text(column, packed.info.element == Element::f32
                                           ? static_cast<double>(packed.rows.values<float>()[i])
                                           : packed.rows.values<std::uint8_t>()[i]));
  }
  return texts;
}

// Each of these columns alone.
Words again(const Words& cells) {
  std::string text = "v,n\n";
  for (std::size_t i = 0; i < cells.size(); ++i)
    text += '"' + cells[i] + "\"," + std::to_string(i) + ".5\n";
  return cells_of(table(text), 0);
}

}  // namespace

TEST_CASE("tables: words, numbers, dates and holes are taken unasked") {
  const Packed packed = table(
      "job,age,pay,born,town\r\nclerk,41,\"1,200.50\",1983-02-03,Ulm\r\nnurse,?,900,1990-12-31,\r\n"
      "clerk,29,.,1995-07-01,Ulm\r\nclerk,30,n/a,1996-07-01,Rom\r\n");
  CHECK(kinds_of(packed) == std::vector{word, whole, number, date, word});
  CHECK(packed.info.column_names == Words{"job", "age", "pay", "born", "town"});
  CHECK(packed.info.has_missing);
  CHECK(cells_of(packed, 0) == Words{"clerk", "nurse", "clerk", "clerk"});
  CHECK(cells_of(packed, 1) == Words{"41", "", "29", "30"});
  CHECK(cells_of(packed, 2) == Words{"1,200.50", "900.00", "", ""});
  CHECK(cells_of(packed, 3) == Words{"1983-02-03", "1990-12-31", "1995-07-01", "1996-07-01"});
  CHECK(cells_of(packed, 4) == Words{"Ulm", "", "Ulm", "Rom"});
  CHECK(packed.record.columns[1] == "age   whole     29 to 41, 1 hole");
  CHECK(packed.record.warnings.empty());
}

TEST_CASE("tables: cells come back as they were written") {
  for (const Words& cells : {Words{"01234", "00987", "01234"},
                             Words{"100000000000001", "100000000000777"},
                             Words{"16777217", "16777219"},
                             Words{"2009", "2011"},
                             Words{"-1", "80"},
                             Words{"1,234", "1,000,000", "999"},
                             Words{"12%", "7%"},
                             Words{"12.5%", "7.0%"},
                             Words{"yes", "no"},
                             Words{"true", "false"},
                             Words{"2024-02-29", "1969-12-31"},
                             Words{"2024-02-29T23:59:59", "2024-03-01T00:00:01"},
                             Words{"2024-02-29 23:59", "1999-01-01 00:00"},
                             Words{"00:00:59.250", "00:00:00.125"},
                             Words{"2024-02", "2024-11"},
                             Words{"2024-02-29 23:59:59+02:00", "2024-03-01 00:00:01+02:00"},
                             Words{"7.50", "7.25"},
                             Words{"1700000000.25", "1700000123.75"},
                             Words{"12345678901234567890", "12345678901234567891"},
                             Words{"5.0", "6.0"},
                             Words{"1.5", "2.25", "3"},
                             Words{"-0.18396142", "-2.066632"}})
    CHECK(again(cells) == cells);
}

TEST_CASE("tables: 16777217 is not rounded, and what floats cannot tell apart is named") {
  const Packed near = table("id,x\n16777217,0.5\n16777219,0.25\n16777218,0.5\n");
  CHECK(near.info.column_forms[0].origin == 16777217);
  CHECK(near.record.warnings.empty());
  const Packed wide = table("id,x\n1,0.5\n2000000001,0.25\n30,0.5\n");
  REQUIRE(wide.record.warnings.size() == 1);
  CHECK(wide.record.warnings[0] ==
        "column 1 (id): spans 2e+09 steps, more than floats tell apart: its numbers are rounded by "
        "up to 64");
  CHECK(wide.record.columns[0] == "id  whole     1 to 2000000001, rounded by up to 64");
}

TEST_CASE("tables: a column without a name is column1, and one that counts the rows is left out") {
  const Packed pandas = table("\"\",a\n0,x\n1,y\n2,x\n3,x\n");
  CHECK(pandas.info.column_names == Words{"a"});
  CHECK(pandas.info.id_columns == Words{"column1"});
  CHECK(pandas.record.columns[0] == "column1  id        left out: it numbers the rows");
  const Packed part = table("Unnamed: 0,a\n12,x\n3,y\n25,x\n");
  CHECK(part.info.id_columns == Words{"Unnamed: 0"});
  const Packed other = table("\"\",a\n5,x\n1,y\n2,x\n2,x\n");
  CHECK(other.info.column_names == Words{"column1", "a"});
  CHECK(trouble("a,b,a\n1,2,3\n") ==
        "data|a: has two columns a|give one of them another name in its first line, or leave one "
        "out: --columns takes their numbers");
}

TEST_CASE("tables: words that mostly occur once, or over 1,000 of them, are an id") {
  std::string text = "name,code,kind\n";
  for (int i = 0; i < 2100; ++i)
    text += "n" + std::to_string(i) + ",c" + std::to_string(i / 2) + "," +
            (i % 3 == 0 ? "a" : "b") + '\n';
  const Packed packed = table(text);
  CHECK(packed.info.column_names == Words{"kind"});
  CHECK(packed.info.id_columns == Words{"name", "code"});
  CHECK(packed.info.content == Content::symbols);
  CHECK(packed.record.columns[1] == "code  id        left out: it has more than 1000 words");
  const Packed few = table("name,x\nAnn,1\nBob,2\nCy,3\n");
  CHECK(few.info.column_names == Words{"name", "x"});
  const Packed said = table(text, {"code=word"});
  CHECK(said.info.column_names == Words{"code", "kind"});
  CHECK(said.info.column_words.counts == std::vector<std::int64_t>{1050, 2});
}

TEST_CASE("tables: a column of one value is a constant") {
  const Packed packed = table("unit,v,kind\n7.5,1.5,a\n7.5,2.5,a\n,3.5,a\n");
  CHECK(kinds_of(packed) == std::vector{constant, number, constant});
  CHECK(cells_of(packed, 0) == Words{"7.5", "7.5", ""});
  CHECK(cells_of(packed, 2) == Words{"a", "a", "a"});
}

TEST_CASE("tables: --type says what cells do not") {
  const Packed packed =
      table("zip,size,when\n123,small,03/02/2024\n456,large,04/02/2024\n123,small,29/02/2024\n",
            {"zip=word", "size=ordered:small<medium<large", "when=date:%d/%m/%Y"});
  CHECK(kinds_of(packed) == std::vector{word, ordered, date});
  CHECK(packed.info.column_words.words == Words{"123", "456", "small", "medium", "large"});
  CHECK(cells_of(packed, 1) == Words{"small", "large", "small"});
  CHECK(cells_of(packed, 2) == Words{"03/02/2024", "04/02/2024", "29/02/2024"});
  CHECK(table("a,b\n1,x\n2,y\n", {"a=id"}).info.column_names == Words{"b"});
}

TEST_CASE("tables: a cell that does not fit its kind names the --type that would") {
  CHECK(trouble("a,b\n1,2\n1.5,3\n", {"a=whole"}) ==
        "data|a:3: column 1 (a): '1.5' is not a whole number|--type a=number takes it");
  CHECK(trouble("a,b\n1,2\nx,3\n", {"a=number"}) ==
        "data|a:3: column 1 (a): 'x' is not a number|--type a=word takes it");
  CHECK(trouble("a,b\nlow,2\ntop,3\n", {"a=ordered:low<high"}) ==
        "data|a:3: column 1 (a): 'top' is not among low<high|--type 'a=ordered:low<high<top' takes "
        "it as the last word");
  CHECK(trouble("a,b\n2024-01-01,2\n2024-02-30,3\n", {"a=date"}) ==
        "data|a:3: column 1 (a): '2024-02-30' is not a date of the form %Y-%m-%d|--type a=word "
        "takes it");
  CHECK(trouble("a,b\n1,2\n2,3\n", {"a=constant"}) ==
        "data|a:3: column 1 (a): '2' differs from '1', and the column is constant|--type a=number "
        "takes it");
  CHECK(trouble("a,b\n1,2\n", {"a=whol"}) ==
        "usage|--type: 'a=whol': 'whol' is no kind of column (did you mean whole?)|kinds are "
        "number, whole, date, word, ordered, id, constant");
  CHECK(trouble("a,b\n1,2\n", {"zip=whole"}) == "data|a: no column zip|columns are a,b");
}

TEST_CASE("tables: --decimal , reads decimals behind a comma, and doubts say where it helps") {
  ImportOptions options;
  options.decimal = DecimalMark::comma;
  const std::string semi = "a;b\n1,5;1.234\n22,25;5.678\n";
  const Packed packed = pack("csv", bytes_of(semi), options);
  CHECK(packed.reals() == std::vector<float>{1.5F, 1234, 22.25F, 5678});
  CHECK(cells_of(packed, 0) == Words{"1,5", "22,25"});
  CHECK(cells_of(packed, 1) == Words{"1.234", "5.678"});
  const Words doubts = table("a\tb\n1,5\t2.5\n22,25\t3.5\n").record.warnings;
  CHECK(doubts == Words{"column 1 (a): '1,5' makes words of its numbers; --decimal , if the mark "
                        "before decimals is another"});
}

TEST_CASE(
    "tables: where ; cuts the fields, decimals follow a comma if only such numbers are there") {
  const Packed packed = table("a;b;c\n1,5;1.234,50;x\n22,25;99,00;\"y; 1.5\"\n");
  CHECK(packed.record.warnings.empty());
  CHECK(cells_of(packed, 0) == Words{"1,5", "22,25"});
  CHECK(cells_of(packed, 1) == Words{"1.234,50", "99,00"});
  CHECK(cells_of(packed, 2) == Words{"x", "y; 1.5"});
  CHECK(table("a;b\n1,5;1.234\n").record.warnings ==
        Words{"column 2 (b): '1.234' is taken for 1234; with --decimal . it is 1.234"});
  CHECK(table("a;b\n1,5;1,234\n2,5;1,234\n").reals() ==
        std::vector<float>{1.5F, 1.234F, 2.5F, 1.234F});
}

TEST_CASE("tables: where ; cuts the fields, one number with a point is enough for points") {
  const Packed packed = table("a;b\n1,5;2.5\n22,25;1,234\n");
  CHECK(cells_of(packed, 1) == Words{"2.5", "1,234"});
  CHECK(packed.record.warnings ==
        Words{"column 1 (a): '1,5' makes words of its numbers; --decimal , if the mark before "
              "decimals is another"});
  CHECK(table("a;b\n1;1,234\n2;5,678\n").record.warnings ==
        Words{"column 2 (b): '1,234' is taken for 1234; with --decimal , it is 1.234"});
}

TEST_CASE("tables: dates with points between day, month and year need no word") {
  const Packed packed =
      table("a,b,c\n11.12.2024,01.02.2024 08:30,1.13.2024\n1.2.2024,31.01.2024 00:00,2.1.2024\n");
  CHECK(cells_of(packed, 0) == Words{"11.12.2024", "1.2.2024"});
  CHECK(cells_of(packed, 1) == Words{"01.02.2024 08:30", "31.01.2024 00:00"});
  CHECK(cells_of(packed, 2) == Words{"1.13.2024", "2.1.2024"});  // words: one of them is no date
  CHECK(packed.reals()[0] - packed.reals()[3] == 314);
}

TEST_CASE("tables: several files are one table, column by column by their names") {
  const auto both = [](const char* second) {
    std::vector<Input> inputs;
    inputs.emplace_back("a", bytes_of("x,y\n1.5,u\n"));
    inputs.emplace_back("b", bytes_of(second));
    return inputs;
  };
  const Packed packed = pack("csv", both("y,x\nv,2.5\n"));
  CHECK(cells_of(packed, 0) == Words{"1.5", "2.5"});
  CHECK(cells_of(packed, 1) == Words{"u", "v"});
  CHECK(error_of("csv", both("x,z\n2.5,v\n")) ==
        "data|b: has no column y, which a has|--columns takes columns by their numbers");
}

TEST_CASE("tables: of dates with slashes some cell settles whether the day comes first") {
  const auto dates_of = [](const std::string& text) {
    const Packed packed = table(text);
    CHECK(kinds_of(packed) == std::vector{date, whole});
    CHECK(packed.record.warnings.empty());
    return cells_of(packed, 0);
  };
  CHECK(dates_of("born,x\n02/03/1999,1\n31/01/2000,2\n") == Words{"02/03/1999", "31/01/2000"});
  CHECK(dates_of("born,x\n12/31/1999,1\n01/02/2000,2\n") == Words{"12/31/1999", "01/02/2000"});
  CHECK(dates_of("at,x\n1/5/2024 9:30,1\n12/31/2023 10:00,2\n") ==
        Words{"1/5/2024 9:30", "12/31/2023 10:00"});
  CHECK(dates_of("day,x\n2024/02/03,1\n2024/12/31,2\n") == Words{"2024/02/03", "2024/12/31"});
  CHECK(dates_of("at,x\n1/5/24 9:30 AM,1\n12/31/23 12:05 PM,2\n") ==
        Words{"1/5/24 9:30 AM", "12/31/23 12:05 PM"});
  CHECK(dates_of("day,x\n01.03.24,1\n02.03.24,2\n") == Words{"01.03.24", "02.03.24"});
  CHECK(dates_of("day,x\n\"Dec 31, 2023\",1\n\"Jan 5, 2024\",2\n") ==
        Words{"Dec 31, 2023", "Jan 5, 2024"});
}

TEST_CASE("tables: a price that is not whole is told to be a number") {
  CHECK(trouble("pay,x\n$7.25,1\n$8,2\n", {"pay=whole"}) ==
        "data|a:2: column 1 (pay): '$7.25' is not a whole number|--type pay=number takes it");
}

TEST_CASE("tables: prices are numbers, and come back as they were written") {
  const auto prices_of = [](const std::string& text) {
    const Packed packed = table(text);
    CHECK(kinds_of(packed) == std::vector{number, whole});
    CHECK(packed.record.warnings.empty());
    return cells_of(packed, 0);
  };
  CHECK(prices_of("pay,x\n\"$1,200.50\",1\n$7.00,2\n-$3.25,3\n") ==
        Words{"$1,200.50", "$7.00", "-$3.25"});
  CHECK(prices_of("pay;x\n1\u202f200,50 \u20ac;1\n7,25 \u20ac;2\n") ==
        Words{"1\u202f200,50 \u20ac", "7,25 \u20ac"});
  CHECK(prices_of("pay,x\n(3.25),1\n\"1,200.50\",2\n") == Words{"(3.25)", "1,200.50"});
  CHECK(prices_of("mass,x\n3.5 kg,1\n80.2 kg,2\n") == Words{"3.5 kg", "80.2 kg"});
  CHECK(prices_of("pay,x\nCHF 1\u2019200.50,1\nCHF 7.25,2\n") ==
        Words{"CHF 1\u2019200.50", "CHF 7.25"});
}

TEST_CASE("tables: a few words among numbers are a doubt") {
  std::string text = "a,b\n";
  for (int i = 0; i < 30; ++i) text += (i == 7 ? "x" : std::to_string(i) + ".5") + ",1.5\n";
  const Packed packed = table(text + "1.5,2.5\n");
  REQUIRE(packed.record.warnings.size() == 1);
  CHECK(packed.record.warnings[0] ==
        "a:9: column 1 (a): 'x' makes words of its numbers; --na x --missing drop-row if it stands "
        "for a missing value");
}

TEST_CASE("tables: a table of words alone holds symbols, any other reals") {
  const Packed words = table("a,b\nx,yes\ny,no\nx,no\n");
  CHECK(words.info.content == Content::symbols);
  CHECK(words.info.element == Element::u8);
  CHECK(words.x() == std::vector<int>{0, 1, 1, 0, 0, 0});
  const Packed holes = table("a,b\nx,yes\n,no\nx,no\n");
  CHECK(holes.info.element == Element::i16);
  CHECK(table("a,b\nx,1\ny,2\n").info.element == Element::f32);
}

TEST_CASE("tables: a file of columns reads one table as another was") {
  const ScratchFolder folder;
  const std::string path = folder / "t.json";
  write_bytes(path, bytes_of(R"({"result": {"columns": [
    {"name": "id", "kind": "whole", "origin": 16777217.0, "step": 1.0, "decimals": 0},
    {"name": "size", "kind": "word", "words": ["large", "small"]},
    {"name": "note", "kind": "id"}]}})"));
  const Packed packed = table("id,size,note\n3,small,1\n4,small,2\n", {path});
  CHECK(kinds_of(packed) == std::vector{whole, word});
  CHECK(packed.info.column_forms[0].origin == 16777217);
  CHECK(packed.info.column_words.words == Words{"large", "small"});
  CHECK(trouble("id,size,note\n3,big,1\n", {path}) ==
        "data|a:2: column 2 (size): 'big' is none of the words that --type lists|--type size=word "
        "takes it");
  write_bytes(path, bytes_of(R"([{"name": "id", "kind": "whole", "step": -1}])"));
  CHECK(trouble("id\n3\n", {path}).find("column 1: step: is -1, which is no step") !=
        std::string::npos);
}

TEST_CASE("tables: 60,000 columns and a cell of 64 MiB end in rows or in a line") {
  std::string names = "c0", cells = "1", words = "x";
  for (int i = 1; i < 60000; ++i) {
    names += ",c" + std::to_string(i);
    cells += ',' + std::to_string(i % 7);
    words += i % 2 == 0 ? ",x" : ",y";
  }
  const Packed wide = table(names + '\n' + cells + '\n' + cells + '\n' + words + '\n');
  CHECK(wide.info.dims() == 60000);
  const std::string long_cell(std::size_t{64} << 20, 'x');
  CHECK(trouble("a,b\n1," + long_cell + "\n") ==
        "data|a:2: column 2: a field is longer than 1 MiB|is a quote not closed?");
}

TEST_CASE("tables: --split-by and --group keep rows together") {
  const std::string text =
      "part,who,v\ntrain,a,1.5\ntest,b,2.5\ntrain,a,3.5\ntest,c,4.5\ntrain,b,5.5\n";
  ImportOptions options;
  options.split_by = "part";
  const Packed split = pack("csv", bytes_of(text), options);
  CHECK(split.info.column_names == Words{"who", "v"});
  REQUIRE(split.info.splits.size() == 2);
  CHECK(split.info.splits[1].name == "test");
  CHECK(split.info.splits[1].begin == 3);
  CHECK(cells_of(split, 1) == Words{"1.5", "3.5", "5.5", "2.5", "4.5"});
  CHECK(split.rows.source == std::vector<std::int64_t>{0, 2, 4, 1, 3});
  options = {};
  options.group = "who";
  options.columns = {"v"};
  const Packed grouped = pack("csv", bytes_of(text), options);
  CHECK(grouped.record.group_ends == std::vector<std::int64_t>{2, 4, 5});
  CHECK(cells_of(grouped, 0) == Words{"1.5", "3.5", "2.5", "5.5", "4.5"});
  options.group = "part";
  CHECK(error_of("csv", bytes_of("part,v\n,1\n"), options) ==
        "data|a:2: column 1 (part) is empty, and says where the row belongs|");
}

}  // namespace logpx::table_test
