#include "tools/sessions/query_answers.hpp"

#include "formats/draw/row_text.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/spelling.hpp"
#include "libcore/data/description.hpp"
#include "libcore/data/row_values.hpp"
#include "libcore/eval/likelihood.hpp"
#include "tools/frame/app.hpp"
#include "tools/frame/progress.hpp"
#include "tools/sessions/kept_columns.hpp"
#include "tools/sessions/model_rows.hpp"
#include "tools/sessions/query_functions.hpp"
#include "tools/sessions/query_patterns.hpp"
#include "tools/sessions/query_places.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <utility>

namespace logpx {
namespace {

// Reads --vars: columns by name, or places of a row in the order of the dataset.
std::vector<std::int64_t> places_of(const std::vector<std::string>& vars, const DatasetInfo& info) {
  const std::vector<std::string> names =
      info.is_table() ? draw::column_names(info) : std::vector<std::string>();
  const ChannelsFirst variables(info);
  std::vector<std::int64_t> places;
  for (const std::string& word : vars) {
    const auto named = std::ranges::find(names, word);
    std::optional<std::int64_t> place = parse_integer(word);
    if (named != names.end()) place = named - names.begin();
    if (!place || *place < 0 || *place >= info.dims())
      fail(ErrorKind::usage, "--vars",
           '\'' + word + "' is neither a column nor a place in 0.." +
               std::to_string(info.dims() - 1) + did_you_mean(word, names));
    const auto variable = static_cast<std::int64_t>(variables(at(*place)));
    if (std::ranges::find(places, variable) != places.end())
      fail(ErrorKind::usage, "--vars", "names " + word + " twice");
    places.push_back(variable);
  }
  return places;
}

// The filled rows of all answers, as the model makes rows.
MemoryRows filled_rows(const QueryScope& scope, const std::vector<RowAnswer>& answers) {
  DatasetInfo info = scope.open.model().samples;
  info.shape = scope.info.shape;
  info.column_names = scope.info.column_names;
  info.has_lengths = scope.info.has_lengths;
  Rows rows;
  for (const RowAnswer& one : answers) rows.count += std::ssize(one.filled);
  info.n = rows.count;
  rows.x.resize(at(info.n) * info.row_bytes());
  std::int64_t next = 0;
  for (const RowAnswer& one : answers)
    for (const std::vector<double>& filled : one.filled) {
      std::int32_t length = 0;
      while (at(length) < filled.size() && filled[at(length)] >= 0) ++length;
      std::vector<float> x;
      for (const double value : filled) {
        const bool real = scope.info.is_table() || scope.queries().is_real(std::ssize(x));
        x.push_back(static_cast<float>(real ? value : std::max(value, 0.0)));
      }
      store_values(info, {}, x, next++, rows);
      if (info.has_lengths) rows.length.push_back(length);
    }
  return {std::move(info), std::move(rows)};
}

// The filled row of each line, as text; of a table a cell for each column.
void add_filled_text(const MemoryRows& made, std::vector<RowAnswer>& answers) {
  MemoryRows source = made;
  std::int64_t next = 0;
  for (RowAnswer& one : answers)
    for (std::vector<Json>& line : one.lines) {
      const Rows row = source.read(next, next + 1);
      ++next;
      if (source.info().is_table()) {
        const std::vector<std::string> cells = draw::row_cells(source.info(), row, 0);
        line.insert(line.end(), cells.begin(), cells.end());
        continue;
      }
      std::string text = draw::row_text(source.info(), row);
      text.pop_back();  // the line feed
      line.emplace_back(std::move(text));
    }
}

// Rows per block, such that their tables stay within some megabytes.
std::int64_t block_of(const OpenQuery& open) {
  constexpr std::int64_t most_numbers = std::int64_t{8} << 20;
  const std::int64_t each = open.info().dims() * std::max<std::int64_t>(open.queries().levels(), 1);
  return std::clamp<std::int64_t>(most_numbers / each, 1, open.model().block);
}

// Calls act with blocks of evidence, on several threads at once.
template <typename Act>
void visit_evidence(App& app, const OpenQuery& open, Act act) {
  const std::int64_t count = open.end - open.begin;
  if (open.rows == nullptr) {
    Evidence evidence = open.unknown;
    if (open.given) open.given->put_into(evidence);
    return act(evidence);
  }
  const auto progress = app.progress("row", static_cast<double>(count));
  EvalRows rows{.data = *open.rows, .begin = open.begin, .end = open.end, .block = block_of(open)};
  rows.progress = [&](std::int64_t done) { progress->update(static_cast<double>(done)); };
  visit_blocks(rows, app.workers(), [&](const Examples& examples) {
    Evidence evidence = open.queries().observed(examples);
    if (!open.known.empty()) evidence.keep_only(open.known);
    if (open.given) open.given->put_into(evidence);
    act(evidence);
  });
}

std::vector<double> log_p_of(App& app, const OpenQuery& open) {
  std::vector<double> all;
  std::mutex guard;
  visit_evidence(app, open, [&](const Evidence& rows) {
    const std::vector<double> nats = open.queries().log_p(rows);
    const std::lock_guard<std::mutex> lock(guard);
    all.insert(all.end(), nats.begin(), nats.end());
  });
  return all;
}

std::vector<double> log_p_of_draws(const App& app, const OpenQuery& open, std::int64_t count) {
  constexpr std::int64_t at_once = 512;
  std::vector<double> all;
  for (std::int64_t first = 0; first < count; first += at_once) {
    Evidence rows = unknown_row(open.info().dims()).repeat(0, std::min(at_once, count - first));
    rows.first = first;
    rows.become(open.queries().fill(rows, FillBy::draws, app.rng(), 0));
    const std::vector<double> nats = open.queries().log_p(rows);
    all.insert(all.end(), nats.begin(), nats.end());
  }
  return all;
}

// log p of the rows of --calibrate, or of draws of the model.
std::vector<double> calibration_of(App& app, const OpenQuery& open, const std::string& word) {
  const auto draws = parse_integer(word);
  std::vector<double> nats;
  if (draws && *draws < 1)
    fail(ErrorKind::usage, "--calibrate", "is " + word + ", expected 1 or more");
  if (draws) {
    nats = log_p_of_draws(app, open, *draws);
  } else {
    OpenQuery usual = open.with_rows(app, word, "calibration");
    nats = log_p_of(app, usual);
  }
  std::ranges::sort(nats);
  return nats;
}

// "line 3, column size: 'medium' is new to the model, which knows big,small"
std::string new_value_text(const OpenQuery& open, std::int64_t row, std::int64_t place) {
  const std::string value = open.value_text(row, place);
  const DatasetInfo& info = open.info();
  const std::string line = open.columns == nullptr
                               ? ""
                               : "line " + std::to_string(open.columns->line(row).number) + ", ";
  const std::string where = info.is_table() ? "column " + place_name(info, place).string()
                                            : "place " + place_name(info, place).dump(-1);
  if (holds_words(info, place))
    return line + where + ": " +
           new_word_text(value, info.column_words.by_column(info.dims())[at(place)]);
  std::string known = "finite numbers";
  if (const std::int64_t levels = open.queries().levels_at(place); levels > 0) {
    const bool counts =
        open.queries().value_at(place, levels - 1) == static_cast<double>(levels - 1);
    known = counts ? "0 to " + std::to_string(levels - 1) : std::to_string(levels) + " values";
  }
  return line + where + ": '" + value + "' is new to the model, which knows " + known;
}

// What a query hides counts as missing.
std::vector<std::int64_t> new_places(const Evidence& rows, std::int64_t i,
                                     std::span<const std::int64_t> hidden) {
  std::vector<std::int64_t> places;
  for (std::int64_t place = 0; place < rows.width; ++place)
    if (rows.row(i)[at(place)] == Evidence::new_value &&
        std::ranges::find(hidden, place) == hidden.end())
      places.push_back(place);
  return places;
}

// Names the new value of a row, of which a query can only say that it has probability 0.
void refuse_new_values(const OpenQuery& open, const Query& query, std::int64_t row,
                       std::span<const std::int64_t> places, RowAnswer& answer) {
  if (!query.judges) answer = {};
  answer.trouble = new_value_text(open, row, places[0]);
  if (places.size() > 1)
    answer.trouble += "; and " + std::to_string(places.size() - 1) + " more of its values";
}

// There is no answer to what is given, where that has probability 0.
void require_possible(const OpenQuery& open, const Query& query, const RowAnswer& answer) {
  if (open.rows || !open.given || query.judges || answer.trouble.empty()) return;
  fail(ErrorKind::numeric, "--given", "has probability 0 under this model");
}

// Inner products and divergences are of models of the same rows.
void require_alike(const ModelInfo& model, const ModelInfo& other) {
  const auto refuse = [](const std::string& what) {
    fail(ErrorKind::usage, "--other", "reads other " + what + " than the model");
  };
  const DatasetInfo &a = model.data, &b = other.data;
  if (a.content != b.content || a.alphabet != b.alphabet || a.tokens != b.tokens) refuse("symbols");
  if (a.column_words != b.column_words || a.column_names != b.column_names ||
      !same_storage(a.column_forms, b.column_forms))
    refuse("columns");
  if (a.dims() != b.dims() && other.lengths != Lengths::any) refuse("rows");
}

// Columns of the input, beside the number of the row.
void add_kept(const KeptColumns& kept, const std::vector<std::string>& names,
              const std::vector<RowAnswer>& answers, TextTable& table) {
  for (std::size_t c = 0; c < kept.count(); ++c) {
    std::vector<Json> cells;
    for (const RowAnswer& one : answers)
      for (const std::vector<Json>& line : one.lines)
        cells.push_back(kept.cell(c, line[0].integer()));
    const bool taken = std::ranges::find(names, kept.name(c)) != names.end();
    table.add(taken ? "given(" + kept.name(c) + ')' : kept.name(c), std::move(cells));
  }
}

TextTable answer_table(const QueryScope& scope, const Query& query, const KeptColumns& kept,
                       const std::vector<RowAnswer>& answers) {
  TextTable table;
  const std::vector<std::string> names = query.columns(scope);
  std::vector<TextTable::NumberText> texts(names.size());
  if (query.number_texts != nullptr) texts = query.number_texts(scope);
  for (std::size_t c = 0; c < names.size(); ++c) {
    std::vector<Json> cells;
    for (const RowAnswer& one : answers)
      for (const std::vector<Json>& line : one.lines) {
        LOGPX_ASSERT(line.size() == names.size());
        cells.push_back(line[c]);
      }
    table.add(names[c], std::move(cells), texts[c]);
    if (c == 0) add_kept(kept, names, answers, table);
  }
  return table;
}

}  // namespace

Answer ask(App& app, const OpenQuery& open, const QuestionOptions& question) {
  const Query& query = find_query(question.query);
  QueryScope scope{.open = open,
                   .question = question,
                   .info = open.info(),
                   .vars = places_of(question.vars, open.info())};
  const KeptColumns kept(question.keep, open);
  const std::optional<Automaton> automaton = automaton_of(question, open.loaded->can);
  if (automaton) scope.automaton = &*automaton;
  std::optional<ValueFunction> function;
  if (!question.function.empty())
    scope.function = &function.emplace(question.function, open.queries(), scope.info);
  std::optional<OpenQuery> other;
  if (!question.other.empty()) {
    QueryInput input;
    input.model = question.other;
    other = input.open_model(app, "other");
    require_alike(open.model(), other->model());
    scope.other = &other->loaded->can;
  }
  if (question.dtype == Dtype::f32) scope.rounded = open.queries().in_floats();
  if (!question.calibrate.empty())
    scope.calibration = calibration_of(app, open, question.calibrate);
  std::vector<RowAnswer> answers(at(open.end - open.begin));
  std::vector<std::vector<std::int64_t>> news(answers.size());
  const std::span<const std::int64_t> hidden =
      query.hides ? std::span(scope.vars) : std::span<const std::int64_t>();
  const Rng rng = app.rng();
  visit_evidence(app, open, [&](const Evidence& rows) {
    const std::size_t first = at(rows.first - open.begin);
    query.answer({scope, rows, rng, std::span(answers).subspan(first, at(rows.count()))});
    for (std::int64_t i = 0; i < rows.count(); ++i)
      news[first + at(i)] = new_places(rows, i, hidden);
  });
  for (std::size_t i = 0; i < news.size(); ++i)
    if (!news[i].empty())
      refuse_new_values(open, query, open.begin + static_cast<std::int64_t>(i), news[i],
                        answers[i]);
  require_possible(open, query, answers[0]);
  if (automaton) require_some_match(scope, answers);
  if (query.conclude != nullptr) query.conclude(scope, answers);
  Answer result;
  if (query.findings != nullptr) result.findings = query.findings(scope, answers);
  if (question.pruning.on()) result.kind = Bound::lower_bound;
  for (std::size_t i = 0; i < answers.size(); ++i)
    if (!answers[i].trouble.empty())
      result.troubles.emplace_back(open.begin + static_cast<std::int64_t>(i), answers[i].trouble);
  if (query.fills) {
    result.rows.emplace(filled_rows(scope, answers));
    if (scope.info.content != Content::image) add_filled_text(*result.rows, answers);
  }
  result.table = answer_table(scope, query, kept, answers);
  for (RowAnswer& one : answers) result.filled.push_back(std::move(one.filled));
  return result;
}

}  // namespace logpx
