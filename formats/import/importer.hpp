// Foreign files to rows.   [data/README 6]
//
//   ImportOptions options;
//   auto importer = open_import(*find_format("idx"), std::move(inputs), options);
//   for (Rows rows; importer->next(rows);) writer.append(rows);
//   ImportRecord record = importer->finish();
//
// Every parser reads through ByteSource, so that an Input holding bytes drives it without a file.
#pragma once

#include "formats/import/input.hpp"
#include "formats/import/formats.hpp"
#include "formats/import/options.hpp"
#include "formats/json/value.hpp"
#include "libcore/data/dataset.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace logpx {

class Workers;

struct ImportRecord {
  std::vector<SourceFile> sources;
  std::vector<std::string> notes;     // what -v tells: files skipped, tiles left over
  std::vector<std::string> warnings;  // what readers of the figures must know
  // "3 files that are not pictures": input that gave no rows. A warning, and in the summary.
  std::vector<std::string> left_out;
  std::vector<std::string> said;         // more for the summary line
  Json facts = {};                       // of the report and the provenance; null: none
  std::vector<std::string> columns;      // of a table, a line about each
  std::vector<std::int64_t> group_ends;  // rows behind which splits may end; empty: anywhere
};

// ", up to 9 atoms of C N O F", or nothing.
[[nodiscard]] std::string said_words(const ImportRecord& record);
// ", 3 files that are not pictures left out", or nothing.
[[nodiscard]] std::string left_out_words(const ImportRecord& record);

class Importer : public RowStream {
 public:
  [[nodiscard]] const DatasetInfo& info() const final { return info_; }
  // For those that compute: who helps, and who is told how many examples have been read.
  void share_work(Workers& workers, std::function<void(std::int64_t)> told) {
    workers_ = &workers;
    told_ = std::move(told);
  }
  // Reads what is left of the inputs, for their checksums and hashes, and says what was read.
  [[nodiscard]] ImportRecord finish();

 protected:
  [[nodiscard]] virtual ImportRecord finish_inputs() = 0;
  // For importers that change the rows of another one.
  [[nodiscard]] static ImportRecord finish_inputs_of(Importer& other) {
    return other.finish_inputs();
  }
  // Adds a line to `left_out` if count is above 0.
  void leave_out(std::int64_t count, const std::string& one, const std::string& many);
  DatasetInfo info_;
  ImportRecord record_;
  Workers* workers_ = nullptr;
  std::function<void(std::int64_t)> told_;
};

// Throws on the first error that the headers of the inputs show.
[[nodiscard]] std::unique_ptr<Importer> open_import(const ImportFormat& format, Inputs inputs,
                                                    const ImportOptions& options);
// By the first bytes, never by the suffix.
[[nodiscard]] const ImportFormat& detect_format(Input& input);
// "this looks like a PNG picture; try: pack-data images FILE -o OUT.h5", or nothing.
[[nodiscard]] std::string looks_like_hint(std::span<const std::byte> first);

// Archives replaced by those of their members that the pattern matches, in bytewise order of names.
[[nodiscard]] Inputs unpacked(Inputs inputs, const std::string& pattern = "");

}  // namespace logpx
