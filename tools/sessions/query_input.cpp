#include "tools/sessions/query_input.hpp"

#include "formats/import/characters.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/shell_word.hpp"
#include "libcore/data/column_cells.hpp"
#include "libcore/data/row_values.hpp"
#include "libcore/families/registry.hpp"
#include "libcore/model/fitting_rows.hpp"
#include "tools/frame/app.hpp"
#include "tools/frame/known_option.hpp"
#include "tools/frame/shared_options.hpp"
#include "tools/sessions/model_rows.hpp"
#include "tools/sessions/query_places.hpp"

#include <algorithm>
#include <utility>

namespace logpx {
namespace {

std::vector<char32_t> characters_of(const std::string& text) {
  std::vector<char32_t> codes;
  const auto take = [&](const Character& character) { codes.push_back(character.code); };
  Utf8Decoder decoder;
  decoder.decode(std::as_bytes(std::span(text)), take);
  decoder.finish(take);
  return codes;
}

// -1 for the missing mark.
std::vector<std::int16_t> symbols_of(const std::string& text, char32_t missing,
                                     const DatasetInfo& model) {
  std::vector<std::int16_t> symbols;
  for (const char32_t code : characters_of(text)) {
    const auto known = std::ranges::find(model.alphabet, static_cast<std::uint32_t>(code));
    if (code == missing) symbols.push_back(-1);
    else if (model.content == Content::bytes && code < 128)
      symbols.push_back(static_cast<std::int16_t>(code));
    else if (known != model.alphabet.end())
      symbols.push_back(static_cast<std::int16_t>(known - model.alphabet.begin()));
    else
      fail(ErrorKind::data, "--text",
           "character " + std::to_string(symbols.size() + 1) + " of '" + text +
               "' is not one of the model's alphabet",
           "--missing-mark C, where C stands for a gap");
  }
  if (symbols.empty()) fail(ErrorKind::usage, "--text", "is empty");
  return symbols;
}

void require_queries(const Abilities& can) {
  if (can.queries) return;
  fail(ErrorKind::data, "", "this " + can.info().family + " answers no queries",
       "families that do: " + families_with(&Family::queries));
}

void open_file(App& app, OpenQuery& open, const std::string& path, const RowsWanted& wanted) {
  ModelRows rows = RowsInput(path).open(open.model().data, wanted);
  open.table = rows.table;
  open.columns = rows.columns;
  open.begin = rows.chosen.begin;
  open.end = rows.chosen.end;
  open.file = std::move(rows.source);
  app.add_input(std::move(rows.record));
  if (open.columns != nullptr && open.columns->others() > 0)
    app.detail(path + ": " + std::to_string(open.columns->others()) +
               " columns that the model does not read");
}

void fit_rows(OpenQuery& open, const std::string& name) {
  const ModelInfo& info = open.model();
  require_fit(info, open.file->info(), name);
  open.rows = std::make_unique<FittingRows>(*open.file, info, name);
  if (open.begin == open.end) fail(ErrorKind::data, name, "has no rows to ask about");
}

// Values in the order of evidence.
std::vector<std::uint8_t> places_given(const std::string& text, const DatasetInfo& info) {
  const std::vector<std::uint8_t> stored = read_known_places(text, info);
  const ChannelsFirst place(info);
  std::vector<std::uint8_t> known(stored.size());
  for (std::size_t i = 0; i < stored.size(); ++i) known[place(i)] = stored[i];
  return known;
}

}  // namespace

MemoryRows rows_of_texts(const std::vector<std::string>& texts, const std::string& missing_mark,
                         const DatasetInfo& model) {
  if (model.content != Content::symbols && model.content != Content::bytes)
    fail(ErrorKind::usage, "--text",
         "is for models of text, and this one reads " + std::string(word_of(model.content)) + "s");
  if (!model.tokens.empty())
    fail(ErrorKind::usage, "--text", "is made of letters, and this model reads tokens",
         "pack-data text FILE --tokens DATA.h5, where DATA is what the model was trained on");
  const std::vector<char32_t> mark = characters_of(missing_mark);
  if (mark.size() != 1) fail(ErrorKind::usage, "--missing-mark", "is not one character");
  std::vector<std::vector<std::int16_t>> all;
  std::size_t longest = 0;
  for (const std::string& text : texts) {
    all.push_back(symbols_of(text, mark[0], model));
    longest = std::max(longest, all.back().size());
  }
  DatasetInfo info = model;
  info.name = "--text";
  info.element = Element::i16;
  info.shape = {static_cast<std::int64_t>(longest)};
  info.n = std::ssize(all);
  info.has_missing = info.has_lengths = true;
  Rows rows;
  rows.count = info.n;
  rows.x.resize(all.size() * info.row_bytes());
  const std::span<std::int16_t> x = rows.values<std::int16_t>();
  std::ranges::fill(x, std::int16_t{-1});
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::ranges::copy(all[i], x.begin() + static_cast<std::ptrdiff_t>(i * longest));
    rows.length.push_back(static_cast<std::int32_t>(all[i].size()));
  }
  return {std::move(info), std::move(rows)};
}

void QueryInput::describe(Fields& f) {
  f.group("input");
  f.add("model", model, "a model that answers queries (logpx-models(7))")
      .positional()
      .required()
      .metavar("MODEL")
      .files("*.h5 of model");
  f.add("data", data, "rows of a dataset or .csv; holes are asked for")
      .positional()
      .metavar("DATA")
      .files("*.h5 of dataset");
  static_cast<void>(rows.describe(f, "ask about"));
  f.add("known", known,
        "what of each row is given: columns of a table, rows:A-B, cols:A-B, every:K or a mask")
      .metavar("PART")
      .shows_default("all that is there")
      .rank(Rank::manual);
  f.add("text", text, "rows written here, in the place of a dataset").metavar("STRING");
  f.add("missing-mark", missing_mark, "the character of --text that stands for a missing one")
      .metavar("C")
      .rank(Rank::manual);
  describe_weights(f, weights);
}

OpenQuery QueryInput::open_model(App& app, const std::string& role) const {
  const ModelFile file(model);
  OpenQuery open{.loaded = std::make_shared<LoadedModel>(load_model(file, weights)),
                 .family = file.family(),
                 .model_hash = file.content_hash()};
  app.add_input({.role = role,
                 .path = model,
                 .kind = "model",
                 .content_hash = file.content_hash(),
                 .provenance = file.provenance()});
  require_queries(open.loaded->can);
  return open;
}

void QueryInput::add_rows(App& app, OpenQuery& open,
                          const std::vector<std::string>& may_be_absent) const {
  if (!data.empty() && !text.empty())
    fail(ErrorKind::usage, "", "--text stands in the place of a dataset",
         "query-pc " + shell_word(model) + ' ' + shell_word(data));
  if (!text.empty()) {
    if (rows.chosen()) fail(ErrorKind::usage, "--rows", "chooses rows of a dataset, not of --text");
    open.file = std::make_unique<MemoryRows>(rows_of_texts(text, missing_mark, open.model().data));
    open.begin = 0;
    open.end = open.file->info().n;
  } else {
    open_file(app, open, data, {"dataset", "test", rows, may_be_absent});
  }
  fit_rows(open, text.empty() ? data : open.file->info().name);
  if (!known.empty()) open.known = places_given(known, open.info());
}

void QueryInput::add_unknown(OpenQuery& open, std::int64_t length) const {
  const ModelInfo& info = open.model();
  if (length > 0 && info.lengths != Lengths::any)
    fail(ErrorKind::usage, "--length",
         "is for sequences of any length, and rows of this model have " +
             std::to_string(info.data.dims()) + " values");
  open.unknown = unknown_row(length > 0 ? length : info.data.dims());
  if (length == 0) return;
  open.samples = info.samples;
  open.samples->shape = {length};
}

std::string OpenQuery::value_text(std::int64_t row, std::int64_t place) const {
  if (columns != nullptr) return columns->text(row, place);
  const std::vector<float> values = stored_values(info(), rows->read(row, row + 1));
  const float value = values[at(stored_place(info(), place))];
  if (info().column_forms.empty()) return to_text(value);
  return ColumnCells(info()).text(place, static_cast<double>(value));
}

void OpenQuery::take_given(const std::vector<std::string>& texts, const std::string& asked) {
  const auto read = [&](const std::string& option, const std::vector<std::string>& all) {
    return std::make_shared<const GivenValues>(GivenValues::Reader{option, queries(), model().data},
                                               all);
  };
  if (!texts.empty()) given = read("--given", texts);
  if (!asked.empty()) event = read("EVENT", {asked});
  if (!given && !event) return;
  Evidence row = unknown_row(model().data.dims());
  if (given) given->put_into(row);
  if (event) event->require(row);
  const std::string why = queries().refuse_regions(row);
  if (!why.empty())
    fail(ErrorKind::usage, event ? "EVENT" : "--given", why,
         "a single value for one of them, NAME=VALUE");
}

OpenQuery OpenQuery::with_rows(App& app, const std::string& path, const std::string& role) const {
  OpenQuery other{.loaded = loaded, .family = family, .model_hash = model_hash, .given = given};
  open_file(app, other, path, {.role = role});
  fit_rows(other, path);
  return other;
}

}  // namespace logpx
