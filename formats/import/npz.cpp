// npz: a zip archive of npy arrays.
#include "formats/import/array_importer.hpp"
#include "formats/import/npy_header.hpp"
#include "formats/import/zip.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"

#include <algorithm>

namespace logpx {
namespace {

// A member together with the archive that it reads from.
class NpzMember final : public ByteStream {
 public:
  NpzMember(std::shared_ptr<SeekableBytes> archive, const ZipEntry& entry)
      : archive_(std::move(archive)), member_(open_zip_member(*archive_, entry)) {}
  [[nodiscard]] const std::string& name() const override { return member_->name(); }
  [[nodiscard]] std::size_t read(std::span<std::byte> out) override { return member_->read(out); }
  [[nodiscard]] std::optional<std::uint64_t> size() const override { return member_->size(); }
  [[nodiscard]] std::optional<SourceFile> finish() override { return member_->finish(); }

 private:
  std::shared_ptr<SeekableBytes> archive_;  // examples and labels read from one
  std::unique_ptr<ByteStream> member_;
};

OpenArray open_member(const std::shared_ptr<SeekableBytes>& archive,
                      const std::vector<ZipEntry>& entries, const std::string& key) {
  std::vector<std::string> names;
  for (const ZipEntry& entry : entries) {
    const std::string name =
        entry.name.ends_with(".npy") ? entry.name.substr(0, entry.name.size() - 4) : entry.name;
    if (name == key)
      return open_array(std::make_unique<NpzMember>(archive, entry), read_npy_header);
    names.push_back(name);
  }
  fail(ErrorKind::data, archive->name(),
       "no array " + key + " (has: " + join_text(names, ", ") + ")",
       names.empty() ? "" : "--key " + names.front());
}

}  // namespace

std::unique_ptr<Importer> open_npz(Inputs inputs, const ImportOptions& options) {
  std::vector<OpenArray> examples, labels;
  ImportRecord record;
  for (Input& input : inputs) {
    const std::string hint = looks_like_hint(input.peek(512));
    if (input.peek(1).empty()) fail(ErrorKind::data, input.name(), "is empty");
    if (!begins_with(input.peek(4), "PK"))
      fail(ErrorKind::data, input.name(), "not npz (first bytes " + hex_words(input.peek(4)) + ")",
           hint);
    const auto archive = std::make_shared<SeekableBytes>(input.open());
    record.sources.push_back(archive->record());
    const std::vector<ZipEntry> entries = read_zip_directory(*archive);
    examples.push_back(open_member(archive, entries, options.key));
    if (!options.label_key.empty())
      labels.push_back(open_member(archive, entries, options.label_key));
  }
  return import_arrays(std::move(examples), std::move(labels), options, std::move(record));
}

}  // namespace logpx
