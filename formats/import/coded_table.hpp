// A table whose columns hold words or numbers. Its cells wait, as numbers of their texts, until the
// end of the input says which columns hold words, what these are, whether all others hold whole
// numbers from 0, and then how many levels there are.
//
//   CodedTable table({{"column 1 (size)", Cells::numbers}, {"column 2", Cells::words}},
//                    {.most_values = 65536});
//   table.put("3", {file, 2});
//   table.put("cat", {file, 2});
//   table.finish(info, {});
//   const std::vector<std::byte> x = table.rows(0, 1);
#pragma once

#include "formats/import/spool.hpp"
#include "libcore/base/error.hpp"
#include "libcore/data/dataset.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace logpx {

enum class Cells { numbers, words, either };  // either: words if any of them is not a number

class CodedTable {
 public:
  struct Column {
    std::string called;  // in messages
    Cells cells = Cells::either;
  };
  struct Place {
    const std::string& file;
    std::uint64_t line;
  };
  struct Limits {
    std::int64_t most_values = 0;  // most different values of a column; whole numbers lie below
    bool reals = true;             // a column may hold numbers that are not whole ones from 0
  };
  CodedTable(std::vector<Column> columns, Limits limits);

  // Adds the next cell, row by row. A data error where a column of its kind cannot hold it.
  void put(const std::string& text, Place place);
  void put_missing();
  // After the last cell: sets words, in the order of their bytes, content, levels, element and
  // domain of the table. All values are reals where one column needs them. info.has_missing asks
  // for room for missing values.
  void finish(DatasetInfo& info, std::optional<std::int64_t> levels);
  // Warnings about columns that became words and may have been meant as numbers.
  [[nodiscard]] const std::vector<std::string>& doubts() const { return doubts_; }
  // Elements of rows begin..end-1.
  [[nodiscard]] std::vector<std::byte> rows(std::int64_t begin, std::int64_t end) const;

 private:
  struct Texts {
    Column column;
    std::unordered_map<std::string, std::uint32_t> numbers = {};  // by text
    std::vector<std::string> texts = {};                          // by number
    std::vector<std::uint16_t> values = {};                       // of each of them
    std::vector<float> reals = {};                                // the same, of columns of reals
    bool has_word = false, is_real = false;
    // From this row on cells are the bits of reals, since there are too many texts to keep.
    std::int64_t bits_from = std::numeric_limits<std::int64_t>::max();
    std::optional<Error> trouble = {};  // the first text that is no number of a column
  };
  [[nodiscard]] std::uint32_t cell_of(Texts& column, const std::string& text, Place place) const;
  [[nodiscard]] std::uint32_t bits_of(const Texts& column, const std::string& text,
                                      Place place) const;
  void add(Texts& column, const std::string& text, Place place) const;
  [[nodiscard]] bool takes_bits(const Texts& column) const;
  [[nodiscard]] Error too_many(const Texts& column, Place place) const;
  void append(std::uint32_t cell);
  void spool();
  void code_words(Texts& column, DatasetInfo& info) const;
  void doubt(const Texts& column);
  void set_levels(DatasetInfo& info, std::optional<std::int64_t> levels) const;
  [[nodiscard]] float real_of(const Texts& column, std::int64_t row, std::uint32_t cell) const;

  std::vector<Texts> columns_;
  Limits limits_;
  std::size_t next_ = 0;  // column of the next cell
  std::int64_t row_ = 0;  // its row
  std::vector<std::uint32_t> waiting_;
  SpoolFile cells_;
  Element element_ = Element::u8;
  std::vector<std::string> doubts_;
};

// What is wrong with a number as float32: it is too large, or a whole number that would be rounded.
[[nodiscard]] std::optional<Error> beyond_floats(const std::string& column, const std::string& text,
                                                 const CodedTable::Place& place);

}  // namespace logpx
