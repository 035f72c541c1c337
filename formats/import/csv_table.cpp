#include "formats/import/csv_table.hpp"

#include "formats/import/csv_rows.hpp"
#include "formats/import/missing_words.hpp"
#include "formats/import/row_keys.hpp"
#include "formats/import/surveyed_columns.hpp"
#include "formats/import/text_spool.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/stop.hpp"
#include "libcore/data/real_vectors.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace logpx {
namespace {

constexpr std::int64_t fewest_word_levels = 2, most_bytes = 256, most_with_holes = 32768;

template <typename T>
void append_number(std::vector<std::byte>& bytes, T value) {
  std::byte raw[sizeof value];
  std::memcpy(raw, &value, sizeof value);
  bytes.insert(bytes.end(), raw, raw + sizeof value);
}

// The types in the order of the columns that are taken.
std::vector<std::optional<ColumnType>> types_of(const CsvRows& rows, const ImportOptions& options) {
  std::vector<std::optional<ColumnType>> types(rows.chosen().size());
  const std::vector<ColumnType> said = column_types(options.type);
  const bool file = options.type.size() == 1 && options.type[0].ends_with(".json");
  const std::vector<std::string> names = rows.columns().names(rows.chosen());
  for (const ColumnType& type : said) {
    const auto named = std::ranges::find(names, type.name);
    if (file && named == names.end()) continue;
    const std::size_t column = named == names.end()
                                   ? rows.columns().find(type.name)
                                   : rows.chosen()[std::size_t(named - names.begin())];
    const auto place = std::ranges::find(rows.chosen(), column);
    if (place == rows.chosen().end())
      fail(ErrorKind::usage, "--type",
           rows.columns().words(column) + " is not among the columns that are taken");
    types[static_cast<std::size_t>(place - rows.chosen().begin())] = type;
  }
  return types;
}

class TableImporter final : public Importer {
 public:
  TableImporter(Inputs inputs, const ImportOptions& options)
      : options_(options), rows_(std::move(inputs), options_) {
    add_columns();
    info_.has_labels = rows_.label_column().has_value();
    info_.has_source_rows = options_.missing == Missing::drop_row || rows_.key_column();
    while (rows_.next()) take_record();
    if (held_.count == 0) refuse_empty();
    reader_.emplace(cells_);
    if (columns_.find_kinds()) count_words();
    columns_.finish();
    if (const auto hole = columns_.first_hole(); hole && options_.missing == Missing::error)
      refuse_hole(hole->place, hole->called, hole->text);
    describe();
    reader_->go_to(0);
    if (!keys_.empty()) order_ = keys_.order(options_.group_seed);
  }

  [[nodiscard]] bool next(Rows& rows) override {
    rows = {};
    const auto width = static_cast<std::int64_t>(info_.row_bytes());
    const std::int64_t most = std::max<std::int64_t>(1, RowStream::chunk_bytes / width);
    while (given_ < held_.count && rows.count < most) give_row(rows);
    info_.n += rows.count;
    if (rows.count > 0) return true;
    if (info_.n == 0) fail(ErrorKind::data, rows_.first_file(), "no rows");
    info_.has_source_rows = dropped_ > 0 || !std::ranges::is_sorted(order_);
    if (!options_.split_by.empty()) info_.splits = keys_.splits();
    info_.label_names = labels_.names();
    return false;
  }

  [[nodiscard]] ImportRecord finish_inputs() override {
    rows_.finish(record_);
    leave_out(dropped_, "row with missing values", "rows with missing values");
    record_.columns = columns_.lines();
    if (!options_.group.empty()) record_.group_ends = keys_.ends();
    return std::move(record_);
  }

 private:
  void add_columns() {
    const auto types = types_of(rows_, options_);
    const std::vector<std::string> names = rows_.columns().names(rows_.chosen());
    for (std::size_t i = 0; i < rows_.chosen().size(); ++i) {
      const std::size_t column = rows_.chosen()[i];
      const std::string name = names.empty() ? "" : names[i];
      columns_.add(
          {{rows_.columns().words(column), name.empty() ? std::to_string(column + 1) : name},
           types[i],
           {.comma = rows_.has_decimal_commas(),
            .doubtful = rows_.delimiter() == ';' && options_.decimal == DecimalMark::by_file,
            .index = column == 0 && rows_.columns().is_unnamed(column)}},
          name);
    }
  }

  [[nodiscard]] bool is_hole(const std::string& field) const {
    return is_no_number(field) || rows_.is_na(field);
  }

  [[noreturn]] void refuse_hole(const std::string& place, const std::string& called,
                                const std::string& text) const {
    fail(ErrorKind::data, place, called + (text.empty() ? " is empty" : " is '" + text + "'"),
         "--missing drop-row, or --missing keep");
  }

  [[noreturn]] void refuse_empty() const {
    fail(ErrorKind::data, rows_.first_file(),
         dropped_ > 0 ? "has no row without missing values" : "has a line of names, and no rows",
         dropped_ > 0 ? "--missing keep" : "");
  }

  // Whether --missing drop-row leaves the record out.
  [[nodiscard]] bool lacks_something() const {
    const auto& fields = rows_.fields();
    const bool drops = options_.missing == Missing::drop_row;
    for (const std::size_t column : rows_.chosen()) {
      if (!is_hole(fields[column])) continue;
      if (drops) return true;
      if (options_.missing == Missing::error)
        refuse_hole(rows_.place(), rows_.columns().words(column), fields[column]);
    }
    if (!rows_.label_column()) return false;
    const std::string& label = fields[*rows_.label_column()];
    if (!label.empty() && !rows_.is_na(label)) return false;
    if (!drops)
      fail(ErrorKind::data, rows_.place(),
           rows_.columns().words(*rows_.label_column()) +
               (label.empty() ? " is empty" : " is '" + label + "'"),
           "--missing drop-row, or --na with other words");
    return true;
  }

  void take_record() {
    const std::int64_t number = records_++;
    if (lacks_something()) return void(++dropped_);
    if (rows_.key_column()) take_key();
    for (std::size_t i = 0; i < rows_.chosen().size(); ++i) {
      const std::string& field = rows_.fields()[rows_.chosen()[i]];
      const bool hole = is_hole(field);
      cells_.put(hole ? "" : field);
      if (hole) columns_.survey(i).add_hole();
      else columns_.survey(i).add(field, {rows_.file(), rows_.line()});
    }
    if (rows_.label_column())
      held_.y.push_back(labels_.number_of(rows_.fields()[*rows_.label_column()], rows_.place()));
    if (info_.has_source_rows) held_.source.push_back(number);
    ++held_.count;
  }

  void take_key() {
    const std::string& key = rows_.fields()[*rows_.key_column()];
    if (key.empty())
      fail(
          ErrorKind::data, rows_.place(),
          rows_.columns().words(*rows_.key_column()) + " is empty, and says where the row belongs");
    keys_.add(key);
    places_.push_back(cells_.place());
  }

  void count_words() {
    for (std::int64_t row = 0; row < held_.count; ++row) {
      if (row % 4096 == 0) stop::check();
      for (std::size_t i = 0; i < columns_.count(); ++i) {
        const std::string_view text = reader_->next();
        if (columns_.wants_words(i) && !text.empty()) columns_.add_word(i, text);
      }
    }
  }

  // A table of words alone holds their numbers as symbols, any other reals.
  void describe() {
    columns_.describe(info_);
    info_.has_missing = options_.missing == Missing::keep ||
                        (options_.missing != Missing::drop_row && columns_.have_holes());
    for (const std::string& doubt : columns_.doubts()) record_.warnings.push_back(doubt);
    const std::vector<std::int64_t>& counts = info_.column_words.counts;
    const std::int64_t largest = counts.empty() ? 0 : std::ranges::max(counts);
    const bool words = !counts.empty() && std::ranges::min(counts) > 0;
    if (words && (!info_.has_missing || largest <= most_with_holes)) {
      info_.content = Content::symbols;
      info_.levels = std::max(largest, fewest_word_levels);
      info_.value_max = static_cast<double>(info_.levels - 1);
      info_.element = info_.has_missing           ? Element::i16
                      : info_.levels > most_bytes ? Element::u16
                                                  : Element::u8;
      return;
    }
    const DatasetInfo reals = real_vectors(info_.dims());
    info_.content = reals.content;
    info_.measure = reals.measure;
    info_.element = reals.element;
    info_.value_min = reals.value_min;
    info_.value_max = reals.value_max;
  }

  void give_row(Rows& rows) {
    const std::int64_t next = given_++, row = order_.empty() ? next : order_[at(next)];
    const std::size_t from = at(row);
    if (!order_.empty()) reader_->go_to(places_[from]);
    row_.clear();
    bool holes = false;
    for (std::size_t i = 0; i < columns_.count(); ++i) {
      const std::string_view text = reader_->next();
      if (columns_.is_left_out(i)) continue;
      row_.push_back(columns_.stored(i, text));
      holes |= std::isnan(row_.back());
    }
    if (holes && options_.missing == Missing::drop_row) return void(++dropped_);
    for (const float value : row_) put(value, rows.x);
    if (!order_.empty()) keys_.give(row);
    if (!held_.y.empty()) rows.y.push_back(held_.y[from]);
    if (!held_.source.empty()) rows.source.push_back(held_.source[from]);
    ++rows.count;
  }

  void put(float value, std::vector<std::byte>& x) const {
    const float number = std::isnan(value) ? -1.0F : value;
    switch (info_.element) {
      case Element::u8: return append_number(x, static_cast<std::uint8_t>(number));
      case Element::u16: return append_number(x, static_cast<std::uint16_t>(number));
      case Element::i16: return append_number(x, static_cast<std::int16_t>(number));
      case Element::f32: return append_number(x, value);
    }
  }

  ImportOptions options_;
  CsvRows rows_;
  SurveyedColumns columns_;
  CsvLabels labels_;
  TextSpool cells_;
  std::optional<TextSpool::Reader> reader_;
  Rows held_;  // all that is known of rows but their cells
  RowKeys keys_;
  std::vector<std::uint64_t> places_;  // of the cells of each row, where it has a key
  std::vector<std::int64_t> order_;
  std::vector<float> row_;
  std::int64_t given_ = 0, records_ = 0, dropped_ = 0;
};

}  // namespace

std::unique_ptr<Importer> open_table(Inputs inputs, const ImportOptions& options) {
  return std::make_unique<TableImporter>(std::move(inputs), options);
}

}  // namespace logpx
