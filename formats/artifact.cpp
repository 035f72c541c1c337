#include "formats/artifact.hpp"

#include "formats/file/input.hpp"
#include "formats/file/output.hpp"
#include "formats/h5/tensors.hpp"
#include "formats/h5/walk.hpp"
#include "libcore/base/error.hpp"

#include <array>

namespace logpx {
namespace {

struct KindWords {
  const char* word;
  const char* makers;
};

const KindWords& kind_words(ArtifactKind kind) {
  static constexpr std::array<KindWords, 8> words{{
      {"dataset", "pack-data or make-data"},
      {"model", "fit-prior, train-arm, train-pc, train-vae or train-vdm"},
      {"checkpoint", "a training tool, next to its model"},
      {"samples", "sample-model or sample-its"},
      {"features", "extract-features"},
      {"scores", "elbo-eval --per-example"},
      {"basis", "extract-features --save-basis"},
      {"reference", "mol-metrics --make-reference"},
  }};
  return words[static_cast<std::size_t>(kind)];
}

std::optional<ArtifactKind> kind_of(std::string_view word) {
  for (int i = 0; i < 8; ++i)
    if (word == word_of(static_cast<ArtifactKind>(i))) return static_cast<ArtifactKind>(i);
  return std::nullopt;
}

bool is_plural(ArtifactKind kind) {
  return kind == ArtifactKind::samples || kind == ArtifactKind::features ||
         kind == ArtifactKind::scores;
}

std::string with_article(ArtifactKind kind) {
  return (is_plural(kind) ? "" : "a ") + std::string(word_of(kind));
}

std::string made_by(ArtifactKind kind) {
  return with_article(kind) + (is_plural(kind) ? " are made by " : " is made by ") +
         makers_of(kind);
}

std::string root_text(const h5::File& file, const std::string& attribute) {
  const auto value = h5::find_attribute(file, "/", attribute);
  if (!value || value->type != h5::ValueType::str || value->texts.size() != 1)
    fail(ErrorKind::data, file.name(),
         "is an HDF5 file, but not an artifact of logpx: it has no attribute " + attribute,
         "write_dataset of share/logpx/logpx.py makes a dataset of its arrays");
  return value->texts[0];
}

std::string dataset_sha256(const h5::File& file, const std::string& path) {
  const h5::Dataset dataset(file, path);
  if (!h5::is_number(dataset.description().type)) return h5::read(file, path).sha256();
  Sha256 hash;
  dataset.visit([&](std::span<const std::byte> bytes) { hash.update(bytes); });
  return hash.hex();
}

}  // namespace

const char* word_of(ArtifactKind kind) { return kind_words(kind).word; }
std::string schema_of(ArtifactKind kind) { return std::string("logpx.") + word_of(kind) + "/1"; }
const char* makers_of(ArtifactKind kind) { return kind_words(kind).makers; }

ArtifactWriter::ArtifactWriter(const OutputFile& out, ArtifactKind kind)
    : file_(h5::File::create(out)) {
  attribute("kind", h5::Value::text(word_of(kind)));
  attribute("schema", h5::Value::text(schema_of(kind)));
}

void ArtifactWriter::attribute(const std::string& name, const h5::Value& value) {
  h5::write_attribute(file_, "/", name, value);
  hash_.add('@' + name, h5::word_of(value.type), value.shape, value.sha256());
}

void ArtifactWriter::dataset(const std::string& path, const h5::Value& value) {
  h5::write(file_, path, value);
  hash_.add(path, h5::word_of(value.type), value.shape, value.sha256());
}

void ArtifactWriter::dataset(const std::string& path, h5::ValueType type, const h5::Shape& shape,
                             std::span<const std::byte> bytes) {
  h5::write(file_, path, type, shape, bytes);
  hash_.add(path, h5::word_of(type), shape, sha256_hex(bytes));
}

ArtifactColumn& ArtifactWriter::column(const std::string& path, const h5::ColumnLayout& layout) {
  return columns_.emplace_back(file_, path, layout);
}

std::string ArtifactWriter::finish(const Json& provenance, Workers* workers) {
  for (ArtifactColumn& part : columns_) {
    const std::string& path = part.column_.path();
    part.column_.finish(workers);
    if (!part.axes_.empty()) h5::write_attribute(file_, path, "axes", h5::Value::text(part.axes_));
    hash_.add(path, h5::word_of(part.column_.layout().type), part.column_.shape(),
              part.hash_.hex());
  }
  const h5::Value story = h5::Value::text(provenance.dump(-1));
  h5::write(file_, "/provenance", story);
  h5::write_attribute(file_, "/provenance", "sha256", h5::Value::text(story.sha256()));
  // Hashes of the parts that the content hash covers: they tell which part of a file was damaged.
  h5::write_attribute(file_, "/provenance", "content", h5::Value::text(hash_.text()));
  const std::string hash = hash_.hex();
  h5::write_attribute(file_, "/", "content_hash", h5::Value::text(hash));
  file_.close();
  return hash;
}

ArtifactFile::ArtifactFile(const std::string& source) : ArtifactFile(SeekableInput(source)) {}

ArtifactFile::ArtifactFile(SeekableInput&& input) : file_(h5::File::open(input)) {
  const std::string word = root_text(file_, "kind");
  const auto kind = kind_of(word);
  if (!kind)
    fail(ErrorKind::data, name(),
         "is of unknown kind '" + word +
             "', expected dataset, model, checkpoint, samples, features or scores");
  kind_ = *kind;
  const std::string schema = root_text(file_, "schema");
  if (schema != schema_of(kind_))
    fail(ErrorKind::data, name(), "has schema " + schema + ", expected " + schema_of(kind_),
         "it was written by another version of logpx");
  content_hash_ = root_text(file_, "content_hash");
}

ArtifactFile::ArtifactFile(const std::string& source, ArtifactKind expected)
    : ArtifactFile(source) {
  require_kind(expected);
}

void ArtifactFile::require_kind(ArtifactKind expected) const {
  if (kind_ != expected)
    fail(ErrorKind::data, name(),
         "is " + with_article(kind_) + ", expected " + with_article(expected), made_by(expected));
}

Json ArtifactFile::provenance() const {
  return Json::parse(read("/provenance", h5::ValueType::str).texts.at(0),
                     file_.subject("/provenance"));
}

std::optional<h5::Value> ArtifactFile::find(const std::string& attribute) const {
  return h5::find_attribute(file_, "/", attribute);
}

h5::Value ArtifactFile::require(const std::string& attribute, h5::ValueType type) const {
  auto value = find(attribute);
  if (!value) fail(ErrorKind::data, file_.subject('@' + attribute), "is missing");
  if (value->type != type || h5::element_count(value->shape) != 1)
    fail(ErrorKind::data, file_.subject('@' + attribute),
         std::string("is ") + h5::word_of(value->type) + ' ' + h5::shape_text(value->shape) +
             ", expected one " + h5::word_of(type));
  return *std::move(value);
}

std::string ArtifactFile::text(const std::string& attribute) const {
  return require(attribute, h5::ValueType::str).texts[0];
}

std::int64_t ArtifactFile::integer(const std::string& attribute) const {
  return require(attribute, h5::ValueType::i64).as<std::int64_t>()[0];
}

std::uint64_t ArtifactFile::unsigned_integer(const std::string& attribute) const {
  return require(attribute, h5::ValueType::u64).as<std::uint64_t>()[0];
}

double ArtifactFile::real(const std::string& attribute) const {
  return require(attribute, h5::ValueType::f64).as<double>()[0];
}

Json ArtifactFile::json(const std::string& attribute) const {
  return Json::parse(text(attribute), file_.subject('@' + attribute));
}

h5::Value ArtifactFile::read(const std::string& path, h5::ValueType type) const {
  if (!has(path)) fail(ErrorKind::data, file_.subject(path), "is missing");
  h5::Value value = h5::read(file_, path);
  if (value.type != type)
    fail(ErrorKind::data, file_.subject(path),
         std::string("is ") + h5::word_of(value.type) + ", expected " + h5::word_of(type));
  return value;
}

ContentHash ArtifactFile::content(const KnownHashes& known) const {
  ContentHash hash;
  for (const std::string& attribute : h5::attribute_names(file_, "/")) {
    if (attribute == "content_hash") continue;
    const h5::Value value = h5::find_attribute(file_, "/", attribute).value();
    hash.add('@' + attribute, h5::word_of(value.type), value.shape, value.sha256());
  }
  for (const h5::Object& object : h5::list_objects(file_)) {
    if (object.kind != h5::ObjectKind::dataset || object.path == "/provenance") continue;
    const h5::Description what = h5::describe(file_, object.path);
    const auto found = known.find(object.path);
    hash.add(object.path, h5::word_of(what.type), what.shape,
             found != known.end() ? found->second : dataset_sha256(file_, object.path));
  }
  return hash;
}

void ArtifactFile::check_content(const KnownHashes& known) const {
  const std::string lines = content(known).text(), computed = sha256_hex(lines);
  // Older files hold only the hash.
  const auto stored = h5::find_attribute(file_, "/provenance", "content");
  const bool has_lines = stored && stored->texts.size() == 1;
  if (computed != content_hash_)
    fail(ErrorKind::data, file_.subject(has_lines ? first_difference(stored->texts[0], lines) : ""),
         "content hash does not match: stored " + content_hash_ + ", computed " + computed,
         "the file was damaged or changed after it was made");
  if (stored && (!has_lines || stored->texts[0] != lines))
    fail(ErrorKind::data, file_.subject("/provenance@content"), "does not match the content hash");
}

void ArtifactFile::check(const KnownHashes& known) const {
  check_content(known);
  const auto stored = h5::find_attribute(file_, "/provenance", "sha256");
  const std::string story = read("/provenance", h5::ValueType::str).sha256();
  if (!stored || stored->texts != std::vector<std::string>{story})
    fail(ErrorKind::data, file_.subject("/provenance"), "does not match its hash");
}

}  // namespace logpx
