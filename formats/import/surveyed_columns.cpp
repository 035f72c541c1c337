#include "formats/import/surveyed_columns.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/shell_word.hpp"
#include "libcore/base/shown_name.hpp"
#include "libcore/data/column_cells.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace logpx {
namespace {

constexpr std::size_t most_words = 1000, most_words_said = 65536;
constexpr std::size_t most_words_in_all = std::size_t{1} << 20;
constexpr std::size_t words_shown = 5, longest_word = 40;

bool is_said(const ColumnSurvey& survey) { return survey.type().has_value(); }

// As lines for people show it.
std::string short_text(const std::string& word) {
  const std::string shown = shown_name(word);
  if (shown.size() <= longest_word) return shown;
  std::size_t end = longest_word;
  while (end > 0 && (shown[end] & 0xc0) == 0x80) --end;  // no part of a character
  return shown.substr(0, end) + "...";
}

std::string range_text(const FoundColumn& found) {
  const ColumnForm& form = found.form;
  const auto text = [&](double value) { return number_cell(form, form.stored_of(value)); };
  if (found.min == found.max) return text(found.min);
  return text(found.min) + " to " + text(found.max);
}

std::string words_text(const std::vector<std::string>& words, ColumnKind kind) {
  std::vector<std::string> first;
  for (std::size_t i = 0; i < std::min(words.size(), words_shown); ++i)
    first.push_back(list_item(short_text(words[i])));
  const std::string all =
      kind == ColumnKind::ordered ? join_text(first, " < ") : join_text(first, ", ");
  return words.size() == first.size() ? all
                                      : all + " ... (" + std::to_string(words.size()) + " words)";
}

}  // namespace

void SurveyedColumns::add(ColumnSurvey survey, std::string name) {
  const std::size_t most = is_said(survey) ? most_words_said : most_words;
  columns_.push_back(
      Column{.survey = std::move(survey), .name = std::move(name), .words = WordList(most)});
}

bool SurveyedColumns::find_kinds() {
  bool any_words = false;
  for (Column& column : columns_) {
    const ColumnSurvey& survey = column.survey;
    if (survey.filled() == 0) column.left_out = "no cell holds anything";
    else if (is_said(survey) && survey.type()->kind == ColumnKind::id)
      column.left_out = "as --type says";
    else if (!is_said(survey) && survey.numbers_rows()) column.left_out = "it numbers the rows";
    if (!column.left_out.empty()) continue;
    column.found = survey.found();
    column.wants_words = column.found.has_words;
    any_words |= column.wants_words;
  }
  return any_words;
}

void SurveyedColumns::add_word(std::size_t at, std::string_view word) {
  Column& column = columns_[at];
  words_kept_ -= column.words.size();
  column.words.add(word);
  words_kept_ += column.words.size();
  if (words_kept_ > most_words_in_all)
    fail(ErrorKind::data, "",
         "the columns have more than " + std::to_string(most_words_in_all) +
             " different words in all",
         "--columns chooses among them, and --type NAME=id leaves one out");
}

void SurveyedColumns::finish() {
  for (Column& column : columns_) {
    if (!column.wants_words) continue;
    if (is_said(column.survey)) {
      if (column.words.has_too_many())
        fail(ErrorKind::data, column.survey.called(),
             "has more than " + std::to_string(most_words_said) + " different words",
             "--type " + shell_word(column.survey.type()->name + "=id") + " leaves it out");
    } else {
      column.left_out = column.words.why_id();
    }
    if (!column.left_out.empty()) continue;
    const bool listed = is_said(column.survey) && !column.survey.type()->words.empty();
    column.sorted = listed ? column.survey.type()->words : column.words.sorted();
    if (!is_said(column.survey) && column.sorted.size() == 1)
      column.found.form.kind = ColumnKind::constant;
    for (std::size_t i = 0; i < column.sorted.size(); ++i)
      column.numbers.emplace(column.sorted[i], static_cast<float>(i));
  }
  if (std::ranges::all_of(columns_, [](const Column& one) { return !one.left_out.empty(); }))
    fail(ErrorKind::data, columns_[0].survey.called(),
         "is left out as all columns are: " + columns_[0].left_out,
         "--type NAME=word keeps the words of a column");
}

float SurveyedColumns::stored(std::size_t at, std::string_view text) const {
  constexpr float hole = std::numeric_limits<float>::quiet_NaN();
  const Column& column = columns_[at];
  if (text.empty()) return hole;
  if (column.wants_words) {
    const auto word = column.numbers.find(text);
    return word == column.numbers.end() ? hole : word->second;
  }
  const auto value = value_of_cell(column.found.form, text);
  return value ? static_cast<float>(column.found.form.stored_of(*value)) : hole;
}

void SurveyedColumns::describe(DatasetInfo& info) const {
  info.column_words = {};
  bool any_words = false;
  for (const Column& column : columns_) {
    if (!column.left_out.empty()) {
      if (!column.name.empty()) info.id_columns.push_back(column.name);
      continue;
    }
    if (!column.name.empty()) info.column_names.push_back(column.name);
    info.column_forms.push_back(column.found.form);
    info.column_words.add_column(column.sorted);
    any_words |= !column.sorted.empty();
  }
  info.shape = {std::ssize(info.column_forms)};
  if (!any_words) info.column_words = {};
}

bool SurveyedColumns::have_holes() const {
  return std::ranges::any_of(columns_, [](const Column& column) {
    return column.left_out.empty() && column.survey.holes() > 0;
  });
}

std::optional<SurveyedColumns::Hole> SurveyedColumns::first_hole() const {
  for (const Column& column : columns_)
    if (const auto hole = column.survey.first_hole(); hole && column.left_out.empty())
      return Hole{hole->place, column.survey.called(), hole->text};
  return std::nullopt;
}

std::string SurveyedColumns::says(const Column& column) const {
  if (!column.left_out.empty()) return "left out: " + column.left_out;
  const FoundColumn& found = column.found;
  std::string text =
      column.wants_words ? words_text(column.sorted, found.form.kind) : range_text(found);
  if (!found.note.empty()) text += ", " + found.note;
  if (column.survey.holes() > 0) text += ", " + counted(column.survey.holes(), "hole");
  return text;
}

std::vector<std::string> SurveyedColumns::lines() const {
  std::size_t widest = 0;
  std::vector<std::string> names, lines;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const std::string& name = columns_[i].name;
    names.push_back(name.empty() ? "column " + std::to_string(i + 1) : short_text(name));
    widest = std::max(widest, names.back().size());
  }
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const bool out = !columns_[i].left_out.empty();
    const std::string kind = word_of(out ? ColumnKind::id : columns_[i].found.form.kind);
    lines.push_back(names[i] + std::string(widest - names[i].size() + 2, ' ') + kind +
                    std::string(std::string("constant").size() - kind.size() + 2, ' ') +
                    says(columns_[i]));
  }
  return lines;
}

std::vector<std::string> SurveyedColumns::doubts() const {
  std::vector<std::string> doubts;
  for (const Column& column : columns_)
    doubts.insert(doubts.end(), column.found.doubts.begin(), column.found.doubts.end());
  return doubts;
}

}  // namespace logpx
