#include "formats/row_table.hpp"

#include "formats/data_description.hpp"
#include "formats/h5/tensors.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/data/description.hpp"
#include "libcore/data/example_dims.hpp"
#include "libcore/data/molecule_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <type_traits>

namespace logpx {
namespace {

using h5::ValueType;

constexpr std::array<std::string_view, 18> own_attributes{
    "kind",    "schema",   "name",         "source_kind",   "content",      "measure",
    "n",       "dims",     "levels",       "value_min",     "value_max",    "content_hash",
    "licence", "citation", "entropy_nats", "intrinsic_dim", "lossy_source", "has_missing"};

template <typename Enum>
Enum enum_of(const ArtifactFile& artifact, const char* attribute, int count) {
  const std::string word = artifact.text(attribute);
  std::vector<std::string> known;
  for (int i = 0; i < count; ++i) {
    const auto value = static_cast<Enum>(i);
    if (word == word_of(value)) return value;
    known.emplace_back(word_of(value));
  }
  fail(ErrorKind::data, artifact.file().subject(std::string("@") + attribute),
       "is '" + word + "', expected " + join_text(known, ", "));
}

std::optional<Element> element_of(ValueType type) {
  switch (type) {
    case ValueType::u8: return Element::u8;
    case ValueType::u16: return Element::u16;
    case ValueType::i16: return Element::i16;
    case ValueType::f32: return Element::f32;
    default: return std::nullopt;
  }
}

struct Domain {
  std::string subject;
  std::int64_t begin;  // row of the first element
  std::int64_t width;  // elements per row
  std::string expected;
};

template <typename T, typename Allowed>
void require_all(std::span<const T> values, const Allowed& allowed, const Domain& domain) {
  const auto bad = std::find_if_not(values.begin(), values.end(), allowed);
  if (bad == values.end()) return;
  const std::int64_t place = bad - values.begin();
  std::string where = "row " + std::to_string(domain.begin + place / domain.width);
  if (domain.width > 1) where += ", element " + std::to_string(place % domain.width);
  fail(ErrorKind::data, domain.subject,
       where + " holds " + to_text(static_cast<double>(*bad)) + ", expected " + domain.expected);
}

// Whether a value is the number of one of `words` words; a missing value may stand anywhere.
template <typename T>
bool is_word(T value, std::int64_t words) {
  if constexpr (std::is_same_v<T, float>)
    return std::isnan(value) ||
           (value >= 0 && value == std::floor(value) && value < static_cast<float>(words));
  else return static_cast<std::int64_t>(value) < words;
}

template <typename T>
std::vector<T> read_column(const h5::Dataset& column, std::int64_t begin, std::int64_t end,
                           std::int64_t width) {
  std::vector<T> values(static_cast<std::size_t>((end - begin) * width));
  column.read_rows(begin, end, std::as_writable_bytes(std::span(values)));
  return values;
}

}  // namespace

struct RowTableReader::Columns {
  std::optional<h5::Dataset> x, y, length, true_logp, latent, source;
  std::map<std::string, Sha256> hashes;  // by path, of the first rows
  std::int64_t hashed = 0;
};

RowTableReader::RowTableReader(const ArtifactFile& artifact,
                               std::initializer_list<std::string_view> others)
    : artifact_(&artifact), columns_(std::make_unique<Columns>()) {
  read_attributes(others);
  open_columns();
  read_splits();
  read_names();
  check_levels();
}

RowTableReader::~RowTableReader() = default;

void RowTableReader::read_attributes(std::initializer_list<std::string_view> others) {
  const ArtifactFile& from = *artifact_;
  info_.name = from.text("name");
  info_.source_kind = from.text("source_kind");
  info_.content = enum_of<Content>(from, "content", 5);
  info_.measure = enum_of<Measure>(from, "measure", 2);
  info_.n = from.integer("n");
  info_.levels = from.integer("levels");
  if (from.find("value_min")) info_.value_min = from.real("value_min");
  if (from.find("value_max")) info_.value_max = from.real("value_max");
  info_.licence = from.text("licence");
  info_.citation = from.text("citation");
  if (from.find("entropy_nats")) info_.entropy_nats = from.real("entropy_nats");
  if (from.find("intrinsic_dim")) info_.intrinsic_dim = from.integer("intrinsic_dim");
  info_.lossy_source = from.find("lossy_source") && from.integer("lossy_source") != 0;
  info_.has_missing = from.find("has_missing") && from.integer("has_missing") != 0;
  for (const std::string& name : h5::attribute_names(from.file(), "/")) {
    const auto is_name = [&](std::string_view known) { return known == name; };
    if (std::any_of(own_attributes.begin(), own_attributes.end(), is_name)) continue;
    if (std::any_of(others.begin(), others.end(), is_name)) continue;
    const h5::Value value = from.find(name).value();
    if (value.type == ValueType::str && value.shape.empty())
      info_.notes.emplace_back(name, value.texts[0]);
  }
}

void RowTableReader::open_columns() {
  const h5::File& file = artifact_->file();
  const auto open = [&](std::optional<h5::Dataset>& column, const char* path, std::size_t rank) {
    if (!artifact_->has(path)) return false;
    column.emplace(file, path);
    const h5::Shape& shape = column->description().shape;
    if (shape.size() == rank && shape[0] == info_.n) return true;
    fail(ErrorKind::data, file.subject(path),
         "has shape " + h5::shape_text(shape) + ", expected " + std::to_string(info_.n) +
             " rows of rank " + std::to_string(rank - 1));
  };
  const auto require_type = [&](const h5::Dataset& column, ValueType type) {
    if (column.description().type != type)
      fail(ErrorKind::data, file.subject(column.path()),
           std::string("is ") + h5::word_of(column.description().type) + ", expected " +
               h5::word_of(type));
  };
  std::int64_t dims = 0;
  if (open(columns_->x, "/data/x", info_.content == Content::image ? 4 : 2)) {
    const h5::Description& what = columns_->x->description();
    const auto element = element_of(what.type);
    if (!element)
      fail(ErrorKind::data, file.subject("/data/x"),
           std::string("is ") + h5::word_of(what.type) + ", expected u8, u16, i16 or f32");
    info_.element = *element;
    info_.shape.assign(what.shape.begin() + 1, what.shape.end());
    dims = info_.dims();
  }
  if (artifact_->integer("dims") != dims || (has_x() && dims < 1))
    fail(ErrorKind::data, file.subject("@dims"),
         "is " + std::to_string(artifact_->integer("dims")) + ", but /data/x has " +
             std::to_string(dims) + " per row");
  info_.has_labels = open(columns_->y, "/data/y", 1);
  info_.has_lengths = open(columns_->length, "/data/length", 1);
  info_.has_true_logp = open(columns_->true_logp, "/data/true_logp", 1);
  info_.has_source_rows = open(columns_->source, "/data/row", 1);
  if (info_.has_labels) require_type(*columns_->y, ValueType::i32);
  if (info_.has_lengths) require_type(*columns_->length, ValueType::i32);
  if (info_.has_true_logp) require_type(*columns_->true_logp, ValueType::f64);
  if (info_.has_source_rows) require_type(*columns_->source, ValueType::i64);
  std::optional<h5::Dataset> smiles;  // only checked: rows have the graphs
  if (open(smiles, "/mol/smiles", 1)) require_type(*smiles, ValueType::str);
  if (open(columns_->latent, "/data/latent", 2)) {
    require_type(*columns_->latent, ValueType::f32);
    info_.latent_dim = columns_->latent->description().shape[1];
  }
}

void RowTableReader::read_splits() {
  const auto names = artifact_->read("/splits/name", ValueType::str).texts;
  const h5::Value begins = artifact_->read("/splits/begin", ValueType::i64);
  const h5::Value ends = artifact_->read("/splits/end", ValueType::i64);
  const auto first = begins.as<std::int64_t>(), last = ends.as<std::int64_t>();
  if (first.size() != names.size() || last.size() != names.size())
    fail(ErrorKind::data, artifact_->file().subject("/splits"),
         "name, begin and end differ in length");
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (first[i] < 0 || first[i] > last[i] || last[i] > info_.n)
      fail(ErrorKind::data, artifact_->file().subject("/splits"),
           "split '" + names[i] + "' is rows " + std::to_string(first[i]) + ':' +
               std::to_string(last[i]) + " of " + std::to_string(info_.n));
    info_.splits.push_back({names[i], first[i], last[i]});
  }
}

void RowTableReader::read_names() {
  if (artifact_->has("/columns/names"))
    info_.column_names = artifact_->read("/columns/names", ValueType::str).texts;
  if (artifact_->has("/columns/words")) {
    info_.column_words.words = artifact_->read("/columns/words", ValueType::str).texts;
    const h5::Value value = artifact_->read("/columns/word_count", ValueType::i32);
    const auto counts = value.as<std::int32_t>();
    info_.column_words.counts.assign(counts.begin(), counts.end());
  }
  const auto reals = [&](const char* path) {
    if (!artifact_->has(path)) return std::vector<double>();
    const h5::Value value = artifact_->read(path, ValueType::f64);
    const auto numbers = value.as<double>();
    return std::vector<double>(numbers.begin(), numbers.end());
  };
  info_.standardisation = {reals("/columns/mean"), reals("/columns/deviation")};
  try {
    read_facts(*artifact_, "/columns/", form_facts(), info_);
    check_columns(info_);
  } catch (const Error& error) {
    throw error.within(artifact_->file().subject("/columns"));
  }
  if (artifact_->has("/labels/names"))
    info_.label_names = artifact_->read("/labels/names", ValueType::str).texts;
  if (artifact_->has("/alphabet")) {
    const h5::Value alphabet = artifact_->read("/alphabet", ValueType::u32);
    const auto symbols = alphabet.as<std::uint32_t>();
    info_.alphabet.assign(symbols.begin(), symbols.end());
  }
  if (artifact_->has("/tokens/text"))
    info_.tokens = artifact_->read("/tokens/text", ValueType::str).texts;
  if (artifact_->has("/tokens/model")) {
    const h5::Value model = artifact_->read("/tokens/model", ValueType::u8);
    for (const std::uint8_t byte : model.as<std::uint8_t>())
      info_.tokenizer += static_cast<char>(byte);
  }
}

void RowTableReader::check_levels() const {
  static constexpr std::int64_t most[] = {256, 65536, 32768, 0};  // by Element
  const std::int64_t limit = has_x() ? most[static_cast<int>(info_.element)] : 65536;
  const h5::File& file = artifact_->file();
  if (info_.levels < 0 || info_.levels > limit || (info_.levels == 0 && limit > 0 && has_x()))
    fail(ErrorKind::data, file.subject("@levels"),
         "is " + std::to_string(info_.levels) + ", impossible for elements of type " +
             word_of(info_.element));
  try {
    check_alphabet(info_);
  } catch (const Error& error) {
    fail(error.kind(), file.subject(info_.tokens.empty() ? "/alphabet" : "/tokens"),
         error.message());
  }
  if (info_.content != Content::molecules || !has_x()) return;
  try {
    check_molecules_info(info_);
  } catch (const Error& error) {
    throw error.within(file.name());
  }
}

bool RowTableReader::has_x() const { return columns_->x.has_value(); }

Rows RowTableReader::read(std::int64_t begin, std::int64_t end) const {
  LOGPX_ASSERT(0 <= begin && begin <= end && end <= info_.n);
  Rows rows;
  rows.count = end - begin;
  if (has_x()) {
    rows.x = read_column<std::byte>(*columns_->x, begin, end,
                                    static_cast<std::int64_t>(info_.row_bytes()));
    check_x(rows, begin);
    check_words(rows, begin);
  }
  if (columns_->y) rows.y = read_column<std::int32_t>(*columns_->y, begin, end, 1);
  if (columns_->length) rows.length = read_column<std::int32_t>(*columns_->length, begin, end, 1);
  if (columns_->true_logp)
    rows.true_logp = read_column<double>(*columns_->true_logp, begin, end, 1);
  if (columns_->latent)
    rows.latent = read_column<float>(*columns_->latent, begin, end, info_.latent_dim);
  if (columns_->source) rows.source = read_column<std::int64_t>(*columns_->source, begin, end, 1);
  check_other_columns(rows, begin);
  check_molecules(rows, begin);
  check_content(rows, begin);
  return rows;
}

void RowTableReader::check_content(const Rows& rows, std::int64_t begin) const {
  if (rows.count == 0 || begin != columns_->hashed) return;
  const auto add = [&](const std::optional<h5::Dataset>& column, std::span<const std::byte> bytes) {
    if (column) columns_->hashes[column->path()].update(bytes);
  };
  add(columns_->x, rows.x);
  add(columns_->y, std::as_bytes(std::span(rows.y)));
  add(columns_->length, std::as_bytes(std::span(rows.length)));
  add(columns_->true_logp, std::as_bytes(std::span(rows.true_logp)));
  add(columns_->latent, std::as_bytes(std::span(rows.latent)));
  add(columns_->source, std::as_bytes(std::span(rows.source)));
  columns_->hashed += rows.count;
  if (columns_->hashed < info_.n) return;
  KnownHashes known;
  for (auto& [path, hash] : columns_->hashes) known.emplace(path, hash.hex());
  artifact_->check(known);
}

void RowTableReader::check_x(const Rows& rows, std::int64_t begin) const {
  const std::string below = "values below " + std::to_string(info_.levels) + " (levels)";
  const Domain domain{artifact_->file().subject("/data/x"), begin, info_.dims(),
                      info_.element == Element::f32 ? "finite values" : below};
  const std::int64_t levels = info_.levels;
  switch (info_.element) {
    case Element::u8:
      if (levels < 256 && info_.content != Content::molecules)
        require_all(
            rows.values<std::uint8_t>(), [&](std::uint8_t v) { return v < levels; }, domain);
      break;
    case Element::u16:
      require_all(
          rows.values<std::uint16_t>(), [&](std::uint16_t v) { return v < levels; }, domain);
      break;
    case Element::i16: {
      const int lowest = info_.has_missing ? -1 : 0;
      require_all(
          rows.values<std::int16_t>(), [&](std::int16_t v) { return lowest <= v && v < levels; },
          domain);
      break;
    }
    case Element::f32: {
      const bool missing = info_.has_missing;
      require_all(
          rows.values<float>(),
          [&](float v) { return std::isfinite(v) || (missing && std::isnan(v)); }, domain);
      break;
    }
  }
}

// In a dataset each value of a column of words is the number of a word. Samples may hold others:
// older models knew only the number of levels of a whole table.
void RowTableReader::check_words(const Rows& rows, std::int64_t begin) const {
  if (info_.column_words.empty() || artifact_->kind() != ArtifactKind::dataset) return;
  const auto dims = static_cast<std::size_t>(info_.dims());
  const auto words = info_.column_words.by_column(info_.dims());
  const auto check = [&]<typename T>(std::span<const T> values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto& known = words[i % dims];
      if (known.empty() || is_word(values[i], std::ssize(known))) continue;
      fail(ErrorKind::data, artifact_->file().subject("/data/x"),
           "row " + std::to_string(begin + static_cast<std::int64_t>(i / dims)) + " holds " +
               to_text(static_cast<double>(values[i])) + " in " +
               info_.column_name(static_cast<std::int64_t>(i % dims)) + ", which has " +
               std::to_string(known.size()) + " words");
    }
  };
  switch (info_.element) {
    case Element::u8: return check(rows.values<std::uint8_t>());
    case Element::u16: return check(rows.values<std::uint16_t>());
    case Element::i16: return check(rows.values<std::int16_t>());
    case Element::f32: return check(rows.values<float>());
  }
}

void RowTableReader::check_molecules(const Rows& rows, std::int64_t begin) const {
  if (info_.content != Content::molecules || !has_x()) return;
  const std::int64_t most = longest_example(info_), types = atom_types_of(info_).size();
  const auto width = static_cast<std::size_t>(info_.dims());
  for (std::size_t i = 0; i < static_cast<std::size_t>(rows.count); ++i) {
    const std::string trouble =
        trouble_of_molecule(info_, types, rows.values<std::uint8_t>().subspan(i * width, width),
                            rows.length.empty() ? most : rows.length[i]);
    if (!trouble.empty())
      fail(ErrorKind::data, artifact_->file().subject("/data/x"),
           "row " + std::to_string(begin + static_cast<std::int64_t>(i)) + ", " + trouble);
  }
}

void RowTableReader::check_other_columns(const Rows& rows, std::int64_t begin) const {
  const h5::File& file = artifact_->file();
  const auto classes = static_cast<std::int64_t>(info_.label_names.size());
  if (classes > 0)
    require_all(std::span(rows.y), [&](std::int32_t y) { return 0 <= y && y < classes; },
                {file.subject("/data/y"), begin, 1,
                 "labels below " + std::to_string(classes) + " (/labels/names)"});
  const std::int64_t longest = has_x() ? longest_example(info_) : 0;
  require_all(std::span(rows.length), [&](std::int32_t l) { return 1 <= l && l <= longest; },
              {file.subject("/data/length"), begin, 1, "1 to " + std::to_string(longest)});
  require_all(std::span(rows.true_logp), [](double v) { return std::isfinite(v); },
              {file.subject("/data/true_logp"), begin, 1, "finite values"});
  require_all(std::span(rows.source), [](std::int64_t row) { return row >= 0; },
              {file.subject("/data/row"), begin, 1, "numbers from 0"});
  require_all(std::span(rows.latent), [](float v) { return std::isfinite(v); },
              {file.subject("/data/latent"), begin, info_.latent_dim, "finite values"});
}

}  // namespace logpx
