#include "formats/inspection.hpp"

#include "formats/checkpoint_file.hpp"
#include "formats/data_description.hpp"
#include "formats/dataset_file.hpp"
#include "formats/basis_file.hpp"
#include "formats/draw/row_text.hpp"
#include "formats/features_file.hpp"
#include "formats/h5/tensors.hpp"
#include "formats/h5/walk.hpp"
#include "formats/model_file.hpp"
#include "formats/reference_file.hpp"
#include "formats/samples_file.hpp"
#include "formats/scores_file.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/stop.hpp"
#include "libcore/data/example_dims.hpp"
#include "libcore/data/molecule_rows.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

namespace logpx {
namespace {

using h5::ValueType;

// Calls f with a value of the C++ type of a number type.
template <typename F>
void with_type(ValueType type, const F& f) {
  switch (type) {
    case ValueType::u8: return f(std::uint8_t{});
    case ValueType::i8: return f(std::int8_t{});
    case ValueType::u16: return f(std::uint16_t{});
    case ValueType::i16: return f(std::int16_t{});
    case ValueType::u32: return f(std::uint32_t{});
    case ValueType::i32: return f(std::int32_t{});
    case ValueType::u64: return f(std::uint64_t{});
    case ValueType::i64: return f(std::int64_t{});
    case ValueType::f32: return f(float{});
    case ValueType::f64: return f(double{});
    case ValueType::str:
    case ValueType::other: return;
  }
}

template <typename T>
Json number(T value) {
  if constexpr (std::is_floating_point_v<T>)
    return std::isfinite(value) ? Json(value)
                                : Json(std::isnan(value) ? "nan"
                                       : value > 0       ? "inf"
                                                         : "-inf");
  else if constexpr (std::is_unsigned_v<T>) return std::uint64_t{value};
  else return std::int64_t{value};
}

// Smallest and largest finite element, and how many are not finite.
template <typename T>
void add_range(const h5::Dataset& dataset, Json& table) {
  T low = std::numeric_limits<T>::max(), high = std::numeric_limits<T>::lowest();
  std::int64_t not_finite = 0;
  dataset.visit([&](std::span<const std::byte> bytes) {
    stop::check();
    const std::span<const T> values(reinterpret_cast<const T*>(bytes.data()),
                                    bytes.size() / sizeof(T));
    T least = low, most = high;  // in registers: bytes may alias what is captured
    std::int64_t skipped = 0;
    for (const T value : values) {
      const bool counts = std::is_integral_v<T> || std::isfinite(static_cast<double>(value));
      least = counts && value < least ? value : least;
      most = counts && value > most ? value : most;
      skipped += counts ? 0 : 1;
    }
    low = least;
    high = most;
    not_finite += skipped;
  });
  if (low <= high) table.set("min", number(low)).set("max", number(high));
  if (not_finite > 0) table.set("not_finite", not_finite);
}

Json shape_json(const h5::Shape& shape) { return Json::array_of(shape); }

Json describe_table(const h5::File& file, const std::string& path) {
  const h5::Dataset dataset(file, path);
  const h5::Description& what = dataset.description();
  Json table = Json::object();
  table.set("path", path).set("type", h5::word_of(what.type)).set("shape", shape_json(what.shape));
  if (const auto axes = h5::find_attribute(file, path, "axes"); axes && !axes->texts.empty())
    table.set("axes", axes->texts.front());
  if (h5::is_number(what.type))
    table.set("bytes",
              h5::element_count(what.shape) * static_cast<std::int64_t>(h5::value_size(what.type)));
  table.set("stored_bytes", what.stored_bytes);
  with_type(what.type, [&](auto zero) { add_range<decltype(zero)>(dataset, table); });
  return table;
}

Json scalar_json(const h5::Value& value) {
  Json json;
  with_type(value.type, [&](auto zero) {
    using T = decltype(zero);
    json = number(value.as<T>()[0]);
  });
  return json;
}

// Attributes hold one number or text; settings are JSON inside a text.
Json attribute_json(const ArtifactFile& file, const std::string& name, const h5::Value& value) {
  static constexpr const char* json_texts[] = {"config", "settings", "numerics", "params",
                                               "sampler"};
  if (h5::element_count(value.shape) != 1)
    return std::string(h5::word_of(value.type)) + ' ' + h5::shape_text(value.shape);
  if (value.type != ValueType::str) return scalar_json(value);
  const bool is_json =
      std::find(std::begin(json_texts), std::end(json_texts), name) != std::end(json_texts);
  return is_json ? file.json(name) : Json(value.texts[0]);
}

Json splits_json(const ArtifactFile& file) {
  const auto names = file.read("/splits/name", ValueType::str).texts;
  const h5::Value begins = file.read("/splits/begin", ValueType::i64);
  const h5::Value ends = file.read("/splits/end", ValueType::i64);
  const auto first = begins.as<std::int64_t>(), last = ends.as<std::int64_t>();
  Json splits = Json::array();
  for (std::size_t i = 0; i < std::min({names.size(), first.size(), last.size()}); ++i)
    splits.push(Json::object()
                    .set("name", names[i])
                    .set("begin", first[i])
                    .set("end", last[i])
                    .set("rows", last[i] - first[i]));
  return splits;
}

// What is known of the columns of a table: models keep it as attributes. Damaged files are shown as
// far as they make sense.
DatasetInfo columns_of(const ArtifactFile& file) {
  DatasetInfo info;
  if (file.kind() == ArtifactKind::model) {
    const Attributes attributes = read_attributes(file, {"family", "config"});
    const auto is_data = [](const auto& one) { return one.first.starts_with("data_"); };
    if (std::ranges::any_of(attributes, is_data)) info = data_of(attributes);
    return info.is_table() ? info : DatasetInfo();
  }
  const auto reals = [&](const char* path) {
    if (!file.has(path)) return std::vector<double>();
    const h5::Value value = file.read(path, ValueType::f64);
    const auto numbers = value.as<double>();
    return std::vector<double>(numbers.begin(), numbers.end());
  };
  if (file.has("/columns/names"))
    info.column_names = file.read("/columns/names", ValueType::str).texts;
  info.standardisation = {reals("/columns/mean"), reals("/columns/deviation")};
  read_facts(file, "/columns/", form_facts(), info);
  if (!file.has("/columns/words")) return info;
  info.column_words.words = file.read("/columns/words", ValueType::str).texts;
  const h5::Value counts = file.read("/columns/word_count", ValueType::i32);
  std::int64_t left = std::ssize(info.column_words.words);
  for (const std::int32_t count : counts.as<std::int32_t>()) {
    info.column_words.counts.push_back(std::clamp<std::int64_t>(count, 0, left));
    left -= info.column_words.counts.back();
  }
  return info;
}

void set_form(Json& column, const ColumnForm& form) {
  column.set("kind", word_of(form.kind));
  const bool words = form.kind == ColumnKind::word || form.kind == ColumnKind::ordered;
  if (words || form == ColumnForm{.kind = ColumnKind::constant}) return;
  column.set("origin", number(form.origin))
      .set("step", number(form.step))
      .set("decimals", form.decimals);
  if (!form.form.empty()) column.set("form", form.form);
}

// Names of the columns of a table, what they hold, their words, and what they are standardised by;
// then the columns that are ids. pack-data --type reads it.
Json columns_json(const ArtifactFile& file) {
  const DatasetInfo info = columns_of(file);
  const auto& [mean, deviation] = info.standardisation;
  const std::vector<std::string>& names = info.column_names;
  const std::vector<ColumnForm>& forms = info.column_forms;
  const std::size_t counts = info.column_words.counts.size();
  const auto words = info.column_words.by_column(std::ssize(info.column_words.counts));
  Json columns = Json::array();
  const std::size_t count =
      std::max({names.size(), counts, mean.size(), deviation.size(), forms.size()});
  for (std::size_t i = 0; i < count; ++i) {
    Json column = Json::object();
    if (i < names.size()) column.set("name", names[i]);
    if (i < forms.size()) set_form(column, forms[i]);
    if (i < counts && !words[i].empty())
      column.set("words",
                 Json::array_of(std::vector<std::string>(words[i].begin(), words[i].end())));
    if (i < mean.size()) column.set("mean", number(mean[i]));
    if (i < deviation.size()) column.set("deviation", number(deviation[i]));
    columns.push(std::move(column));
  }
  for (const std::string& id : info.id_columns)
    columns.push(Json::object().set("name", id).set("kind", word_of(ColumnKind::id)));
  return columns;
}

constexpr std::int64_t most_rows_shown = 3;

// Which kinds of atoms molecules have, whether they tell charges, and the most that a row holds.
Json atoms_json(const ArtifactFile& file) {
  const DatasetInfo info = RowTableReader(file, {}).info();
  const AtomTypes types = atom_types_of(info);
  return Json::object()
      .set("kinds", types.names())
      .set("charges", types.tells_charges())
      .set("most", longest_example(info));
}

// The first rows of molecules as text: their numbers say little.
Json first_molecules(const ArtifactFile& file) {
  const RowTableReader table(file, {});
  const Rows rows = table.read(0, std::min(table.info().n, most_rows_shown));
  std::vector<std::string> lines = split_text(draw::row_text(table.info(), rows), '\n');
  lines.pop_back();  // behind the last line feed
  return Json::array_of(lines);
}

std::int64_t parameter_count(const ArtifactFile& file) {
  std::int64_t count = 0;
  for (const std::string& name : file.read("/params/names", ValueType::str).texts)
    count += h5::element_count(h5::describe(file.file(), "/params/raw/" + name).shape);
  return count;
}

// Rows in blocks of some MiB.
void read_all_rows(std::int64_t rows, std::size_t row_bytes,
                   const std::function<void(std::int64_t, std::int64_t)>& read) {
  const auto step = static_cast<std::int64_t>(
      std::max<std::size_t>((4 << 20) / std::max<std::size_t>(row_bytes, 1), 1));
  for (std::int64_t begin = 0; begin < rows; begin += step) {
    stop::check();
    read(begin, std::min(begin + step, rows));
  }
}

void read_all_rows(RowSource& source) {
  read_all_rows(source.info().n, source.info().row_bytes(),
                [&](std::int64_t begin, std::int64_t end) { (void)source.read(begin, end); });
}

void check_samples(ArtifactFile artifact) {
  SamplesFile samples(std::move(artifact));
  if (samples.has_x()) read_all_rows(samples);
}

void check_features(ArtifactFile artifact) {
  const FeaturesFile features(std::move(artifact));
  if (!features.has_rows()) return;
  const FeaturesInfo& info = features.info();
  read_all_rows(info.n, static_cast<std::size_t>(info.d) * sizeof(float),
                [&](std::int64_t begin, std::int64_t end) { (void)features.read(begin, end); });
}

// An error names the line of the whole text.
Json parse_line(const std::string& line, std::size_t lines_before, const std::string& name) {
  try {
    return Json::parse(line, name);
  } catch (const Error&) {
    return Json::parse(std::string(lines_before, '\n') + line, name);
  }
}

std::vector<Json> parse_lines(const std::string& text, const std::string& name) {
  const std::vector<std::string> lines = split_text(text, '\n');
  std::vector<Json> entries;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].empty()) continue;
    entries.push_back(parse_line(lines[i], i, name));
    if (!entries.back().is_object())
      fail(ErrorKind::data, name + ':' + std::to_string(i + 1),
           std::string("is ") + entries.back().type_word() + ", expected an object");
  }
  return entries;
}

bool is_report(const Json& json) {
  const Json* schema = json.find("schema");
  return schema != nullptr && schema->is_string() && schema->string().starts_with("logpx.report/");
}

TextFacts describe_report(const Json& report) {
  TextFacts facts{.kind = "report", .facts = Json::object(), .provenance = report};
  facts.facts.set("kind", "report").set("schema", report.at("schema"));
  for (const char* key : {"tool", "version", "seed", "inputs", "outputs", "warnings"})
    if (const Json* part = report.find(key); part != nullptr) facts.facts.set(key, *part);
  if (const Json* result = report.find("result"); result != nullptr)
    facts.facts.set("answer", *result);
  for (const char* key : {"result", "series", "warnings"}) facts.provenance.erase(key);
  return facts;
}

}  // namespace

Json describe_artifact(const ArtifactFile& file) {
  Json facts = Json::object();
  facts.set("kind", word_of(file.kind())).set("schema", schema_of(file.kind()));
  facts.set("content_hash", file.content_hash()).set("bytes", file.file().bytes());
  Json attributes = Json::object();
  for (const std::string& name : h5::attribute_names(file.file(), "/"))
    if (name != "kind" && name != "schema" && name != "content_hash")
      attributes.set(name, attribute_json(file, name, file.find(name).value()));
  facts.set("attributes", std::move(attributes));
  if (file.has("/splits/name")) facts.set("splits", splits_json(file));
  if (const Json columns = columns_json(file); columns.size() > 0) facts.set("columns", columns);
  const bool has_rows = file.has("/data/x") && file.find("content");
  if (has_rows && file.text("content") == word_of(Content::molecules))
    facts.set("atoms", atoms_json(file)).set("molecules", first_molecules(file));
  if (file.has("/params/names")) facts.set("parameters", parameter_count(file));
  Json tables = Json::array();
  for (const h5::Object& object : h5::list_objects(file.file()))
    if (object.kind == h5::ObjectKind::dataset)
      tables.push(describe_table(file.file(), object.path));
  facts.set("tables", std::move(tables));
  return facts;
}

void check_artifact(ArtifactFile file) {
  file.check();
  switch (file.kind()) {
    case ArtifactKind::dataset: {
      DatasetFile dataset(std::move(file));
      return read_all_rows(dataset);
    }
    case ArtifactKind::model: (void)ModelFile(std::move(file)).parameters(); return;
    case ArtifactKind::checkpoint: (void)CheckpointFile(std::move(file)).parameters(); return;
    case ArtifactKind::samples: return check_samples(std::move(file));
    case ArtifactKind::features: return check_features(std::move(file));
    case ArtifactKind::scores: (void)ScoresFile(std::move(file)); return;
    case ArtifactKind::basis: (void)BasisFile(std::move(file)).tensors(); return;
    case ArtifactKind::reference: (void)ReferenceFile(std::move(file)); return;
  }
}

TextFacts describe_text(const std::string& text, const std::string& name) {
  const std::string first_line = text.substr(0, text.find('\n'));
  if (!first_line.starts_with('{') || !first_line.ends_with('}')) {
    const Json json = Json::parse(text, name);
    if (is_report(json)) return describe_report(json);
    fail(ErrorKind::data, name, "is JSON, but neither a report nor a history");
  }
  const std::vector<Json> entries = parse_lines(text, name);
  if (entries.size() == 1 && is_report(entries[0])) return describe_report(entries[0]);
  TextFacts facts{.kind = "history", .facts = Json::object(), .provenance = {}};
  facts.facts.set("kind", "history").set("lines", static_cast<std::int64_t>(entries.size()));
  facts.facts.set("first", entries.front()).set("last", entries.back());
  return facts;
}

}  // namespace logpx
