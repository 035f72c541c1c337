#include "formats/import/importer.hpp"

#include "formats/file/signature.hpp"
#include "formats/import/container.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"

#include <algorithm>

namespace logpx {
namespace {

std::string one_or_many(std::int64_t count, const std::string& one, const std::string& many) {
  return std::to_string(count) + ' ' + (count == 1 ? one : many);
}

// "csv, text or bytes": the formats that no first bytes tell.
std::string words_to_choose() {
  std::vector<std::string> words;
  for (const ImportFormat& format : import_formats())
    if (format.known_by.empty() && format.zip_of.empty()) words.emplace_back(format.word);
  const std::string last = words.back();
  words.pop_back();
  return join_text(words, ", ") + " or " + last;
}

}  // namespace

std::string looks_like_hint(std::span<const std::byte> first) {
  if (packing_of(first) != Packing::none) return "this is an archive in an archive; unpack it";
  const Signature* const found = find_signature(first);
  if (found == nullptr) return "";
  const std::string looks = "this looks like " + std::string(found->called);
  return found->command.empty() ? looks : looks + "; try: " + std::string(found->command);
}

ImportRecord Importer::finish() {
  ImportRecord record = finish_inputs();
  std::vector<SourceFile> sources;
  for (SourceFile& source : record.sources) {
    const auto same = [&source](const SourceFile& other) {
      return other.archive && other.name == source.name && other.sha256 == source.sha256;
    };
    if (source.archive && std::any_of(sources.begin(), sources.end(), same)) continue;
    if (source.hidden > 0)
      record.notes.push_back(source.name + ": " + std::to_string(source.hidden) +
                             " hidden files and files in __MACOSX folders skipped");
    if (source.links > 0)
      record.left_out.push_back(one_or_many(source.links, "link or device", "links and devices") +
                                " in " + source.name);
    sources.push_back(std::move(source));
  }
  record.sources = std::move(sources);
  for (const std::string& what : record.left_out) record.warnings.push_back("left out: " + what);
  return record;
}

std::string said_words(const ImportRecord& record) {
  std::string words;
  for (const std::string& said : record.said) words += ", " + said;
  return words;
}

std::string left_out_words(const ImportRecord& record) {
  if (record.left_out.empty()) return "";
  return ", " + join_text(record.left_out, ", ") + " left out";
}

void Importer::leave_out(std::int64_t count, const std::string& one, const std::string& many) {
  if (count > 0) record_.left_out.push_back(one_or_many(count, one, many));
}

Inputs unpacked(Inputs inputs, const std::string& pattern) {
  Inputs files;
  for (Input& input : inputs) {
    if (!input.is_container()) {
      files.push_back(std::move(input));
      continue;
    }
    const std::shared_ptr<const Container> container = input.unpack();
    for (const std::size_t member : container->chosen(pattern))
      files.emplace_back(container, member);
  }
  return files;
}

const ImportFormat& detect_format(Input& input) {
  const std::span<const ImportFormat> formats = import_formats();
  if (input.is_folder()) return *std::ranges::find(formats, true, &ImportFormat::folders);
  if (input.is_container()) {
    Input first(input.unpack(), 0);
    const ImportFormat& format = detect_format(first);
    const auto zipped = std::ranges::find(formats, format.word, &ImportFormat::zip_of);
    const bool is_zip = input.unpack()->packing() == Packing::zip;
    return is_zip && zipped != formats.end() ? *zipped : format;
  }
  const std::span<const std::byte> first = input.peek(signature_bytes);
  if (first.empty()) fail(ErrorKind::data, input.name(), "is empty");
  const Signature* const found = find_signature(first);
  if (found != nullptr && !found->format.empty()) return *find_format(found->format);
  const std::string bytes = hex_words(first.first(std::min<std::size_t>(4, first.size())));
  if (found == nullptr)
    fail(ErrorKind::data, input.name(), "no known format (first bytes " + bytes + ")",
         "name it: pack-data " + words_to_choose());
  fail(ErrorKind::data, input.name(),
       "is " + std::string(found->called) + ", which auto does not take",
       command_for(*found, input.name()));
}

std::unique_ptr<Importer> open_import(const ImportFormat& format, Inputs inputs,
                                      const ImportOptions& options) {
  LOGPX_ASSERT(!inputs.empty());
  check_consistent(options, format);
  return format.open(std::move(inputs), options);
}

}  // namespace logpx
