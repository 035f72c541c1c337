// What all HDF5 artifacts share: kind and schema, a content hash over everything that counts, and
// the provenance: how the file was made.
//
//   ArtifactWriter writer(out, ArtifactKind::features);
//   writer.attribute("extractor", h5::Value::text("pixels"));
//   writer.dataset("/mean", h5::Value::of<double>(mean, {d}));
//   const std::string hash = writer.finish(provenance);
//   out.commit();
#pragma once

#include "formats/h5/column.hpp"
#include "formats/h5/file.hpp"
#include "formats/h5/value.hpp"
#include "formats/json/value.hpp"
#include "libcore/base/hash.hpp"

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace logpx {

class OutputFile;
class SeekableInput;

enum class ArtifactKind { dataset, model, checkpoint, samples, features, scores, basis, reference };

[[nodiscard]] const char* word_of(ArtifactKind kind);    // "dataset"
[[nodiscard]] std::string schema_of(ArtifactKind kind);  // "logpx.dataset/1"
[[nodiscard]] const char* makers_of(ArtifactKind kind);  // "pack-data or make-data"

// A growing dataset of an artifact: chunks compressed, elements hashed in passing.
class ArtifactColumn {
 public:
  ArtifactColumn(h5::File& file, std::string path, const h5::ColumnLayout& layout)
      : column_(file, std::move(path), layout) {}
  void append(std::span<const std::byte> rows) {
    hash_.update(rows);
    column_.append(rows);
  }
  void flush(Workers* workers) { column_.flush(workers); }
  // Names of its dimensions, for other programs: "row,height,width,channel".
  void name_axes(std::string axes) { axes_ = std::move(axes); }
  [[nodiscard]] const h5::Column& column() const { return column_; }

 private:
  friend class ArtifactWriter;
  h5::Column column_;
  Sha256 hash_;
  std::string axes_;
};

// Attributes, datasets and columns may come in any order: the content hash does not depend on it.
class ArtifactWriter {
 public:
  ArtifactWriter(const OutputFile& out, ArtifactKind kind);

  void attribute(const std::string& name, const h5::Value& value);  // of the root
  void dataset(const std::string& path, const h5::Value& value);
  void dataset(const std::string& path, h5::ValueType type, const h5::Shape& shape,
               std::span<const std::byte> bytes);
  // Lives as long as the writer, and is finished by it.
  [[nodiscard]] ArtifactColumn& column(const std::string& path, const h5::ColumnLayout& layout);

  // Writes what is left, closes the file, and returns the content hash.
  std::string finish(const Json& provenance, Workers* workers = nullptr);

 private:
  h5::File file_;
  ContentHash hash_;
  std::deque<ArtifactColumn> columns_;
};

// SHA-256 of datasets whose elements have been read already, by path.
using KnownHashes = std::map<std::string, std::string>;

class ArtifactFile {
 public:
  explicit ArtifactFile(const std::string& source);  // of any kind
  explicit ArtifactFile(SeekableInput&& input);
  ArtifactFile(const std::string& source, ArtifactKind expected);  // require_kind()

  [[nodiscard]] const std::string& name() const { return file_.name(); }  // for messages
  [[nodiscard]] ArtifactKind kind() const { return kind_; }
  void require_kind(ArtifactKind expected) const;  // a data error that names both kinds
  [[nodiscard]] const std::string& content_hash() const { return content_hash_; }
  [[nodiscard]] Json provenance() const;
  [[nodiscard]] const h5::File& file() const { return file_; }

  // Root attributes; a data error when absent or of another type.
  [[nodiscard]] std::optional<h5::Value> find(const std::string& attribute) const;
  [[nodiscard]] std::string text(const std::string& attribute) const;
  [[nodiscard]] std::int64_t integer(const std::string& attribute) const;
  [[nodiscard]] std::uint64_t unsigned_integer(const std::string& attribute) const;
  [[nodiscard]] double real(const std::string& attribute) const;
  // JSON stored as text.
  [[nodiscard]] Json json(const std::string& attribute) const;

  [[nodiscard]] bool has(const std::string& path) const { return file_.has(path); }
  // A whole dataset; a data error when it is of another type.
  [[nodiscard]] h5::Value read(const std::string& path, h5::ValueType type) const;

  // The content hash of what is there now: reads everything.
  [[nodiscard]] std::string compute_content_hash() const { return content({}).hex(); }
  // A data error unless content and provenance are as they were written; it names the dataset or
  // attribute that differs. Reads everything whose hash is not known yet.
  void check(const KnownHashes& known = {}) const;

 private:
  [[nodiscard]] ContentHash content(const KnownHashes& known) const;
  void check_content(const KnownHashes& known) const;
  [[nodiscard]] h5::Value require(const std::string& attribute, h5::ValueType type) const;

  h5::File file_;
  ArtifactKind kind_;
  std::string content_hash_;
};

}  // namespace logpx
