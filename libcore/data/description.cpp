#include "libcore/data/description.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace logpx {
namespace {

// A member kept as it is.
template <typename Part, typename T>
DataFact own_fact(const char* name, bool always, Part part, T) {
  return {name, always, [part](const DatasetInfo& info) -> FactValue { return T(part(info)); },
          [part](DatasetInfo& info, const FactValue& value) { part(info) = std::get<T>(value); }};
}

// A member of an enumeration, kept as its word.
template <typename E>
DataFact word_fact(const char* name, E DatasetInfo::*member, std::vector<E> known) {
  return {
      name, true,
      [member](const DatasetInfo& info) -> FactValue { return std::string(word_of(info.*member)); },
      [member, known](DatasetInfo& info, const FactValue& value) {
        const std::string& word = std::get<std::string>(value);
        const auto found = std::ranges::find_if(known, [&](E one) { return word == word_of(one); });
        if (found == known.end()) fail(ErrorKind::data, word, "is not a word that describes data");
        info.*member = *found;
      }};
}

using Reals = std::vector<double>;
using Integers = std::vector<std::int64_t>;
using Texts = std::vector<std::string>;

constexpr std::int64_t last_code_point = 0x10ffff;

// A flag: true is kept as 1, false is not kept.
DataFact flag_fact(const char* name, bool DatasetInfo::*member) {
  return {
      name, false,
      [member](const DatasetInfo& info) -> FactValue { return std::int64_t{info.*member ? 1 : 0}; },
      [member](DatasetInfo& info, const FactValue& value) {
        info.*member = std::get<std::int64_t>(value) != 0;
      }};
}

DataFact alphabet_fact() {
  return {"alphabet", false,
          [](const DatasetInfo& info) -> FactValue {
            return Integers(info.alphabet.begin(), info.alphabet.end());
          },
          [](DatasetInfo& info, const FactValue& value) {
            for (const std::int64_t code : std::get<Integers>(value)) {
              if (code < 0 || code > last_code_point)
                fail(ErrorKind::data, "alphabet",
                     "holds " + std::to_string(code) + ", which is not a code point");
              info.alphabet.push_back(static_cast<std::uint32_t>(code));
            }
          }};
}

// The name of each note, followed by its text.
DataFact notes_fact() {
  return {"notes", false,
          [](const DatasetInfo& info) -> FactValue {
            Texts texts;
            for (const auto& [name, text] : info.notes) texts.insert(texts.end(), {name, text});
            return texts;
          },
          [](DatasetInfo& info, const FactValue& value) {
            const auto& texts = std::get<Texts>(value);
            if (texts.size() % 2 != 0) fail(ErrorKind::data, "notes", "are not pairs of texts");
            for (std::size_t i = 0; i < texts.size(); i += 2)
              info.notes.emplace_back(texts[i], texts[i + 1]);
          }};
}

DataFact range_fact() {
  return {"range", true,
          [](const DatasetInfo& info) -> FactValue {
            return Reals{info.value_min, info.value_max};
          },
          [](DatasetInfo& info, const FactValue& value) {
            const auto& range = std::get<Reals>(value);
            if (range.size() != 2) fail(ErrorKind::data, "range", "is not two numbers");
            info.value_min = range[0];
            info.value_max = range[1];
          }};
}

// One part of what is known of each column; the first that is set says how many there are.
template <typename T, typename Get, typename Set>
DataFact form_fact(const char* name, Get get, Set set) {
  return {name, false,
          [get](const DatasetInfo& info) -> FactValue {
            std::vector<T> values;
            for (const ColumnForm& form : info.column_forms) values.push_back(get(form));
            return values;
          },
          [name, set](DatasetInfo& info, const FactValue& value) {
            const auto& values = std::get<std::vector<T>>(value);
            std::vector<ColumnForm>& forms = info.column_forms;
            if (forms.empty()) forms.resize(values.size());
            if (forms.size() != values.size())
              fail(ErrorKind::data, name,
                   "has " + std::to_string(values.size()) + " entries, expected " +
                       std::to_string(forms.size()));
            for (std::size_t i = 0; i < forms.size(); ++i) set(forms[i], values[i]);
          }};
}

void set_kind(ColumnForm& form, const std::string& word) {
  const auto kind = column_kind(word);
  if (!kind) fail(ErrorKind::data, "kinds", "'" + word + "' is not a kind of column");
  form.kind = *kind;
}

}  // namespace

const std::vector<DataFact>& form_facts() {
  static const std::vector<DataFact> facts = {
      form_fact<std::string>(
          "kinds", [](auto& f) { return std::string(word_of(f.kind)); }, set_kind),
      form_fact<double>(
          "origin", [](auto& f) { return f.origin; }, [](auto& f, double v) { f.origin = v; }),
      form_fact<double>(
          "step", [](auto& f) { return f.step; }, [](auto& f, double v) { f.step = v; }),
      form_fact<std::int64_t>(
          "decimals", [](auto& f) { return f.decimals; }, [](auto& f, auto v) { f.decimals = v; }),
      form_fact<std::string>(
          "forms", [](auto& f) { return f.form; }, [](auto& f, auto& v) { f.form = v; }),
      own_fact(
          "ids", false, [](auto& d) -> auto& { return d.id_columns; }, Texts())};
  return facts;
}

namespace {

std::vector<DataFact> all_facts() {
  std::vector<DataFact> facts = {
      own_fact(
          "shape", true, [](auto& d) -> auto& { return d.shape; }, Integers()),
      own_fact(
          "levels", true, [](auto& d) -> auto& { return d.levels; }, std::int64_t()),
      range_fact(),
      word_fact(
          "content", &DatasetInfo::content,
          {Content::image, Content::vector, Content::symbols, Content::bytes, Content::molecules}),
      word_fact("measure", &DatasetInfo::measure, {Measure::counting, Measure::lebesgue}),
      word_fact("element", &DatasetInfo::element,
                {Element::u8, Element::u16, Element::i16, Element::f32}),
      own_fact(
          "columns", false, [](auto& d) -> auto& { return d.column_names; }, Texts()),
      own_fact(
          "words", false, [](auto& d) -> auto& { return d.column_words.words; }, Texts()),
      own_fact(
          "word_counts", false, [](auto& d) -> auto& { return d.column_words.counts; }, Integers()),
      own_fact(
          "mean", false, [](auto& d) -> auto& { return d.standardisation.mean; }, Reals()),
      own_fact(
          "deviation", false, [](auto& d) -> auto& { return d.standardisation.deviation; },
          Reals()),
      alphabet_fact(),
      own_fact(
          "tokens", false, [](auto& d) -> auto& { return d.tokens; }, Texts()),
      own_fact(
          "label_names", false, [](auto& d) -> auto& { return d.label_names; }, Texts()),
      flag_fact("lengths", &DatasetInfo::has_lengths),
      flag_fact("missing", &DatasetInfo::has_missing),
      notes_fact()};
  facts.insert(facts.end(), form_facts().begin(), form_facts().end());
  return facts;
}

}  // namespace

const std::vector<DataFact>& data_facts() {
  static const std::vector<DataFact> facts = all_facts();
  return facts;
}

bool same_storage(std::span<const ColumnForm> a, std::span<const ColumnForm> b) {
  return a.empty() || b.empty() ||
         std::ranges::equal(a, b, [](const ColumnForm& one, const ColumnForm& other) {
           return one.origin == other.origin && one.step == other.step;
         });
}

void check_alphabet(const DatasetInfo& info) {
  if (!info.alphabet.empty() && std::ssize(info.alphabet) != info.levels)
    fail(ErrorKind::data, "alphabet",
         "has " + std::to_string(info.alphabet.size()) + " symbols, expected " +
             std::to_string(info.levels));
  if (info.tokens.empty()) return;
  if (std::ssize(info.tokens) != info.levels)
    fail(ErrorKind::data, "tokens",
         "has " + std::to_string(info.tokens.size()) + " symbols, expected " +
             std::to_string(info.levels));
  if (!info.alphabet.empty() || info.content != Content::symbols)
    fail(ErrorKind::data, "tokens", "are given for data that have letters already");
}

namespace {

// Anyone may have written the counts: each is checked to be small before it is added.
void check_words(const DatasetInfo& info) {
  const auto& [words, counts] = info.column_words;
  std::int64_t left = std::ssize(words);
  for (const std::int64_t count : counts) {
    if (count < 0 || count > left || (info.levels > 0 && count > info.levels))
      fail(ErrorKind::data, "word_count",
           "holds " + std::to_string(count) + ", which is not a number of words");
    left -= count;
  }
  if (left != 0)
    fail(ErrorKind::data, "words",
         "has " + std::to_string(words.size()) + " entries, expected " +
             std::to_string(std::ssize(words) - left));
  if (words.empty()) return;
  if (!info.is_table()) fail(ErrorKind::data, "words", "are given for data that are not a table");
  for (const auto& column : info.column_words.by_column(std::ssize(counts)))
    if (std::set<std::string>(column.begin(), column.end()).size() != column.size())
      fail(ErrorKind::data, "words", "has a word twice in one column");
}

// Columns hold words where their kind says so, and there only.
void check_forms(const DatasetInfo& info) {
  if (info.column_forms.empty()) return;
  if (!info.is_table()) fail(ErrorKind::data, "kinds", "are given for data that are not a table");
  const std::vector<std::int64_t>& counts = info.column_words.counts;
  if (!counts.empty() && counts.size() != info.column_forms.size())
    fail(ErrorKind::data, "kinds",
         "has " + std::to_string(info.column_forms.size()) + " entries, expected " +
             std::to_string(counts.size()));
  const auto words = info.column_words.by_column(std::ssize(info.column_forms));
  for (std::size_t i = 0; i < info.column_forms.size(); ++i) {
    const ColumnForm& column = info.column_forms[i];
    check_form(column);
    const bool has_words = column.kind == ColumnKind::word || column.kind == ColumnKind::ordered;
    const std::size_t most = column.kind == ColumnKind::constant ? 1
                             : has_words                         ? words[i].size()
                                                                 : 0;
    if (words[i].size() > most || (has_words && words[i].empty()))
      fail(ErrorKind::data, "kinds",
           std::string("has ") + word_of(column.kind) + " for a column of " +
               counted(words[i].size(), "word"));
  }
}

}  // namespace

void check_columns(const DatasetInfo& info) {
  const auto& [mean, deviation] = info.standardisation;
  const auto whole = [&](const char* name, std::ptrdiff_t size) {
    if (size != 0 && !info.shape.empty() && size != info.dims())
      fail(ErrorKind::data, name,
           "has " + std::to_string(size) + " entries, expected " + std::to_string(info.dims()));
  };
  whole("names", std::ssize(info.column_names));
  whole("word_count", std::ssize(info.column_words.counts));
  check_words(info);
  whole("kinds", std::ssize(info.column_forms));
  check_forms(info);
  whole("mean", std::ssize(mean));
  whole("deviation", std::ssize(deviation));
  if (mean.size() != deviation.size()) fail(ErrorKind::data, "mean", "comes without deviations");
  if (!mean.empty() && info.element != Element::f32)
    fail(ErrorKind::data, "mean", "is given for data that are not real numbers");
  const auto divides = [](double one) { return std::isfinite(one) && one > 0; };
  if (!std::ranges::all_of(mean, [](double one) { return std::isfinite(one); }) ||
      !std::ranges::all_of(deviation, divides))
    fail(ErrorKind::data, "deviation", "is not a number to divide by");
}

}  // namespace logpx
