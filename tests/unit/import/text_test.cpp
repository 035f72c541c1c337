// csv, text and bytes.
#include "formats/import/characters.hpp"
#include "libcore/base/error.hpp"
#include "tests/support/foreign_files.hpp"
#include "tests/support/scratch_folder.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace logpx::text_test {

using namespace logpx::testing;

namespace {

// Symbols of text27 as letters, rows joined, padding left out.
std::string letters_of(const Packed& packed) {
  std::string text;
  const auto block = static_cast<std::size_t>(packed.info.dims());
  for (std::size_t row = 0; row < static_cast<std::size_t>(packed.info.n); ++row) {
    const std::size_t length =
        packed.rows.length.empty() ? block : static_cast<std::size_t>(packed.rows.length[row]);
    for (std::size_t i = 0; i < length; ++i) {
      const int symbol = std::to_integer<int>(packed.rows.x[row * block + i]);
      text += symbol == 0 ? ' ' : static_cast<char>('a' + symbol - 1);
    }
  }
  return text;
}

std::string normalized(const std::string& text) {
  ImportOptions options;
  options.normalize = Normalize::text8;
  options.block = 1;
  return letters_of(pack("text", bytes_of(text), options));
}

}  // namespace

TEST_CASE("bytes: blocks run across files unless --per-file") {
  const auto inputs = [] {
    std::vector<Input> files;
    files.emplace_back("a", bytes_of("abcde"));
    files.emplace_back("b", gzip(bytes_of("fghij")));
    return files;
  };
  ImportOptions options;
  options.block = 4;
  const Packed joined = pack("bytes", inputs(), options);
  CHECK(text_of(joined.rows.x) == std::string("abcdefghij\0\0", 12));
  CHECK(joined.rows.length == std::vector<std::int32_t>{4, 4, 2});
  CHECK(joined.info.content == Content::bytes);
  CHECK(joined.info.has_lengths);
  options.per_file = true;
  const Packed apart = pack("bytes", inputs(), options);
  CHECK(text_of(apart.rows.x) == std::string("abcde\0\0\0fghij\0\0\0", 16));
  CHECK(apart.rows.length == std::vector<std::int32_t>{4, 1, 4, 1});
  options.drop_last = true;
  const Packed whole = pack("bytes", inputs(), options);
  CHECK(text_of(whole.rows.x) == "abcdfghi");
  CHECK_FALSE(whole.info.has_lengths);
  CHECK(whole.record.notes.at(0) == "2 bytes of short blocks dropped");
}

TEST_CASE("bytes: full blocks need no lengths") {
  ImportOptions options;
  options.block = 5;
  CHECK_FALSE(pack("bytes", bytes_of("abcdefghij"), options).info.has_lengths);
}

TEST_CASE("text: text27 is space and a to z") {
  ImportOptions options;
  options.block = 3;
  const Packed packed = pack("text", bytes_of("az b"), options);
  CHECK(packed.info.levels == 27);
  CHECK(packed.info.alphabet.size() == 27);
  CHECK(packed.info.alphabet[0] == ' ');
  CHECK(packed.info.alphabet[26] == 'z');
  CHECK(packed.x() == std::vector<int>{1, 26, 0, 2, 0, 0});
  CHECK(packed.rows.length == std::vector<std::int32_t>{3, 1});
}

TEST_CASE("text: alphabet auto is the characters of the text in code point order") {
  ImportOptions options;
  options.alphabet = "auto";
  options.block = 4;
  const Packed packed = pack("text",
                             gzip(bytes_of("b\xc3\xa9"
                                           "ab")),
                             options);
  CHECK(packed.info.alphabet == std::vector<std::uint32_t>{'a', 'b', 0xe9});
  CHECK(packed.x() == std::vector<int>{1, 2, 0, 1});
  CHECK(error_of("text", bytes_of("ab\n\xff"), options) ==
        "data|a:2: byte 0xff at offset 3 is not UTF-8|--alphabet bytes");
}

TEST_CASE("text: an alphabet file lists its characters in order") {
  const ScratchFolder folder;
  write_bytes(folder / "letters", bytes_of("ba\xc3\xa9\n"));
  ImportOptions options;
  options.alphabet = folder / "letters";
  options.block = 3;
  CHECK(pack("text",
             bytes_of("\xc3\xa9"
                      "ba"),
             options)
            .x() == std::vector<int>{2, 0, 1});
  write_bytes(folder / "letters", bytes_of("aba"));
  CHECK(error_of("text", bytes_of("ab"), options) ==
        "data|" + folder / "letters" + ":1: byte 0x61 at offset 2 is in the alphabet twice|");
}

TEST_CASE("text: characters across the pieces of a stream are whole") {
  std::string text;
  for (int i = 0; i < 100000; ++i) text += i % 3 == 0 ? "a" : "\xe2\x82\xac";
  ImportOptions options;
  options.alphabet = "auto";
  options.block = 100000;
  const Packed packed = pack("text", bytes_of(text), options);
  REQUIRE(packed.info.n == 1);
  for (std::size_t i = 0; i < 100000; ++i)
    REQUIRE(std::to_integer<int>(packed.rows.x[i]) == (i % 3 == 0 ? 0 : 1));
}

TEST_CASE("text: --split-chars cuts before blocking, each part with its own short block") {
  ImportOptions options;
  options.block = 4;
  options.split_chars = "train:6,valid:4,test:rest";
  const Packed packed = pack("text", bytes_of("abcdefghijklm"), options);
  CHECK(letters_of(packed) == "abcdefghijklm");
  CHECK(packed.rows.length == std::vector<std::int32_t>{4, 2, 4, 3});
  REQUIRE(packed.info.splits.size() == 3);
  CHECK(packed.info.find_split("train")->end == 2);
  CHECK(packed.info.find_split("valid")->begin == 2);
  CHECK(packed.info.find_split("test")->begin == 3);
  CHECK(packed.info.find_split("test")->end == 4);
  options.split_chars = "train:6,test:8";
  CHECK(error_of("text", bytes_of("abcdefghijklm"), options) ==
        "usage|--split-chars needs 14 characters, the data have 13|");
}

TEST_CASE("text: --normalize text8 spells digits, drops accents and squeezes the rest") {
  CHECK(normalized("Hello,  World!\n") == "hello world");
  CHECK(normalized("caf\xc3\xa9 na\xc3\xafve \xc5\xa0koda") == "cafe naive skoda");
  CHECK(normalized("cafe\xcc\x81") == "cafe");  // a combining accent
  CHECK(normalized("in 1984.") == "in one nine eight four");
  CHECK(normalized("a1b") == "a one b");
  CHECK(normalized("\xef\xac\x81sh \xc2\xbd") == "fish one two");
  CHECK(normalized("it\xe2\x80\x99s \xff ok") == "it s ok");
}

TEST_CASE("text: decompositions of Latin letters keep their first letter") {
  CHECK(ascii_decomposition(0xc0) == "a");
  CHECK(ascii_decomposition(0xff) == "y");
  CHECK(ascii_decomposition(0xe6) == "");   // ae has none
  CHECK(ascii_decomposition(0x141) == "");  // nor has the stroked l
  CHECK(ascii_decomposition(0x133) == "ij");
  CHECK(ascii_decomposition(0x149) == " n");
  CHECK(ascii_decomposition(0x17f) == "s");
  CHECK(ascii_decomposition(0x180) == "");
}

TEST_CASE("csv: header, chosen columns, labels in words") {
  const Bytes8 file = bytes_of("x;y;kind;z\n1;2;cat;3\n4;5;\"dog\";6\n7;8;cat;9\n");
  ImportOptions options;
  options.label_column = "kind";
  const Packed all = pack("csv", file, options);
  CHECK(all.reals() == std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8, 9});
  CHECK(all.rows.y == std::vector<std::int32_t>{0, 1, 0});
  CHECK(all.info.label_names == std::vector<std::string>{"cat", "dog"});
  options.label_column = "";
  options.columns = {"z", "1-2"};
  CHECK(pack("csv", file, options).reals() == std::vector<float>{3, 1, 2, 6, 4, 5, 9, 7, 8});
  options.columns = {"kinds"};
  CHECK(error_of("csv", file, options) ==
        "data|a: no column kinds (did you mean kind?)|columns are x,y,kind,z");
}

TEST_CASE("csv: without a header the first record counts") {
  ImportOptions options;
  options.header = false;
  options.label_column = "1";
  const Packed packed = pack("csv", bytes_of("7\t1.5\n3\t-2e1\n"), options);
  CHECK(packed.reals() == std::vector<float>{1.5F, -20});
  CHECK(packed.rows.y == std::vector<std::int32_t>{7, 3});
}

TEST_CASE("csv: quoted fields hold delimiters, quotes and newlines and are trimmed") {
  const Bytes8 file = bytes_of("name,x\r\n\"a \"\"b\"\", c\n\",\"1\n\"\r\n\r\nd , 2\n");
  ImportOptions options;
  options.columns = {"x"};
  options.label_column = "name";
  const Packed packed = pack("csv", file, options);
  CHECK(packed.reals() == std::vector<float>{1, 2});
  CHECK(packed.info.label_names == std::vector<std::string>{"a \"b\", c", "d"});
  CHECK(error_of("csv", bytes_of("x\n1\n\"2\n3\n")) == "data|a:3: a quoted field is not closed|");
}

TEST_CASE("csv: missing values stop, drop the row, or are kept") {
  const Bytes8 file = bytes_of("x,y\n1,2\n,3\nnan,4\n5,-inf\n6,7\n");
  ImportOptions options;
  options.missing = Missing::error;
  CHECK(error_of("csv", file, options) ==
        "data|a:3: column 1 (x) is empty|--missing drop-row, or --missing keep");
  CHECK(error_of("csv", bytes_of("x,y\n1,2\n?,3\n"), options) ==
        "data|a:3: column 1 (x) is '?'|--missing drop-row, or --missing keep");
  options.missing = Missing::drop_row;
  const Packed dropped = pack("csv", file, options);
  CHECK(dropped.reals() == std::vector<float>{1, 2, 6, 7});
  CHECK(dropped.record.warnings.at(0) == "left out: 3 rows with missing values");
  for (const Missing missing : {Missing::keep, Missing::by_content}) {
    options.missing = missing;
    const Packed kept = pack("csv", file, options);
    CHECK(kept.info.has_missing);
    CHECK(std::isnan(kept.reals()[2]));
    CHECK(pack("csv", bytes_of("x\n1\n2\n"), options).info.has_missing ==
          (missing == Missing::keep));
  }
  options.missing = Missing::keep;
  options.content = Reading::symbols;
  options.levels = 10;
  const Packed symbols = pack("csv", file, options);
  CHECK(symbols.info.element == Element::i16);
  CHECK(symbols.rows.values<std::int16_t>()[2] == -1);
  CHECK(symbols.rows.values<std::int16_t>()[3] == 3);
}

TEST_CASE("csv: words of --na stand for missing values, of labels too") {
  const Bytes8 file = bytes_of("x,kind\n1,a\nNA,a\n-,b\n4,null\n5,b\nnone,b\n");
  ImportOptions options;
  options.label_column = "kind";
  options.missing = Missing::drop_row;
  const Packed dropped = pack("csv", file, options);  // "none" is a hole among numbers
  CHECK(dropped.reals() == std::vector<float>{1, 5});
  CHECK(dropped.info.label_names == std::vector<std::string>{"a", "b"});
  options.missing = Missing::error;
  CHECK(error_of("csv", file, options) ==
        "data|a:3: column 1 (x) is 'NA'|--missing drop-row, or --missing keep");
  options.columns = {"x"};
  CHECK(error_of("csv", bytes_of("x,kind\n4,null\n"), options) ==
        "data|a:2: column 2 (kind) is 'null'|--missing drop-row, or --na with other words");
  options.missing = Missing::keep;
  CHECK(std::isnan(pack("csv", bytes_of("x,kind\nN/A,a\n2,a\n"), options).reals()[0]));
}

TEST_CASE("csv: a table keeps the names of its columns, and the places of rows when some go") {
  const Bytes8 file = bytes_of("\"temp, C\",y,z\n1,2,3\n,3,4\n\n4,5,6\n");
  ImportOptions options;
  options.missing = Missing::drop_row;
  options.columns = {"z", "temp, C"};
  const Packed packed = pack("csv", file, options);
  CHECK(packed.info.column_names == std::vector<std::string>{"z", "temp, C"});
  CHECK(packed.info.has_source_rows);
  CHECK(packed.rows.source == std::vector<std::int64_t>{0, 2});
  options.columns = {"y"};
  CHECK_FALSE(pack("csv", file, options).info.has_source_rows);
  options.header = false;
  options.columns = {"1"};
  CHECK(pack("csv", bytes_of("1,2\n"), options).info.column_names.empty());
  options.columns = {"5"};
  CHECK(error_of("csv", bytes_of("1,2\n"), options) == "data|a: no column 5|columns are 1 to 2");
}

TEST_CASE("csv: --shape makes pixels") {
  ImportOptions options;
  options.shape = {1, 2, 1};
  CHECK(pack("csv", bytes_of("p,q\n0,255\n"), options).x() == std::vector<int>{0, 255});
  CHECK(error_of("csv", bytes_of("p,q\n0,256\n"), options) ==
        "data|a:2: column 2 (q): '256' is not a whole number in 0..255|");
  CHECK(error_of("csv", bytes_of("p,q\n0,x\n"), options) ==
        "data|a:2: column 2 (q): 'x' is not a number|--columns chooses columns of numbers, "
        "--label-column takes one of words, --categorical auto keeps words");
}

}  // namespace logpx::text_test
