// The records of CSV files, one after the other: their columns by name, those that are taken, and
// labels.
//
//   CsvRows rows(std::move(inputs), options);
//   while (rows.next())
//     for (const std::size_t column : rows.chosen()) use(rows.fields()[column]);
#pragma once

#include "formats/import/csv_records.hpp"
#include "formats/import/importer.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace logpx {

// The columns of a file by their names, or 1, 2, 3 ... without a line of names.
class CsvColumns {
 public:
  CsvColumns(std::vector<std::string> names, std::string file);

  [[nodiscard]] std::size_t count() const { return names_.size(); }
  [[nodiscard]] std::string words(std::size_t column) const;  // "column 3 (x)"
  // A data error that lists the columns there are.
  [[nodiscard]] std::size_t find(const std::string& word) const;
  // Names, numbers, and ranges of numbers such as 3-9.
  [[nodiscard]] std::vector<std::size_t> select(const std::vector<std::string>& words) const;
  // The names of these columns, "column3" where one is empty; nothing without a line of names.
  [[nodiscard]] std::vector<std::string> names(const std::vector<std::size_t>& columns) const;
  // Whether other columns have a name, and this one none; "Unnamed: 0" is what pandas calls it.
  [[nodiscard]] bool is_unnamed(std::size_t column) const;

 private:
  [[nodiscard]] std::string known() const;

  std::vector<std::string> names_;
  std::string file_;
};

// Labels as numbers: whole numbers as they are, else words in the order in which they come.
class CsvLabels {
 public:
  [[nodiscard]] std::int32_t number_of(const std::string& field, const std::string& place);
  [[nodiscard]] std::vector<std::string> names() const;

 private:
  std::optional<bool> are_words_;  // the first one decides
  std::map<std::string, std::int32_t> numbers_;
};

class CsvRows {
 public:
  CsvRows(Inputs inputs, const ImportOptions& options);

  // The next record, of this file or of those after it. Records of another number of fields are a
  // data error.
  [[nodiscard]] bool next();
  [[nodiscard]] const std::vector<std::string>& fields() const { return record_.fields; }
  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] std::uint64_t line() const { return record_.line; }
  [[nodiscard]] std::string place() const { return file_ + ':' + std::to_string(record_.line); }

  [[nodiscard]] const CsvColumns& columns() const { return *columns_; }
  [[nodiscard]] const std::vector<std::size_t>& chosen() const { return chosen_; }
  [[nodiscard]] std::optional<std::size_t> label_column() const { return label_column_; }
  // The column of --split-by or --group.
  [[nodiscard]] std::optional<std::size_t> key_column() const { return key_column_; }
  [[nodiscard]] char delimiter() const { return delimiter_; }  // of the last file that was opened
  // Whether decimals follow a comma, as --decimal says or else the first file.
  [[nodiscard]] bool has_decimal_commas() const { return decimal_commas_; }
  [[nodiscard]] const std::string& first_file() const { return inputs_[0].name(); }
  // Whether a field is one of --na.
  [[nodiscard]] bool is_na(const std::string& field) const;

  // Reads what is left and adds sources and warnings.
  void finish(ImportRecord& record);

 private:
  [[nodiscard]] bool next_record();
  [[noreturn]] void refuse_width();
  [[nodiscard]] bool next_is_alike();
  void open_next();
  void open_columns(std::vector<std::string> names);
  void match_first_names();

  Inputs inputs_;
  ImportOptions options_;
  std::optional<CsvReader> reader_;
  std::optional<CsvColumns> columns_;
  std::vector<std::size_t> chosen_;
  std::vector<std::string> names_;  // of the first file, where nothing else chooses
  std::optional<std::size_t> label_column_, key_column_;
  std::string file_;
  char delimiter_ = ',';
  bool decimal_commas_ = false;
  CsvRecord record_;
  bool have_first_ = false, first_row_ = false;  // first_row_: none has been read of this file
  std::size_t opened_ = 0;
  std::vector<SourceFile> sources_;
  std::vector<std::string> warnings_;
};

}  // namespace logpx
