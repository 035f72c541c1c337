#include "formats/import/importer.hpp"

#include "formats/file/signature.hpp"
#include "formats/import/container.hpp"
#include "formats/import/tiles.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"

#include <algorithm>

namespace logpx {
namespace {

std::string counted(std::int64_t count, const std::string& one, const std::string& many) {
  return std::to_string(count) + ' ' + (count == 1 ? one : many);
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
      record.left_out.push_back(counted(source.links, "link or device", "links and devices") +
                                " in " + source.name);
    sources.push_back(std::move(source));
  }
  record.sources = std::move(sources);
  for (const std::string& what : record.left_out) record.warnings.push_back("left out: " + what);
  return record;
}

std::string left_out_words(const ImportRecord& record) {
  if (record.left_out.empty()) return "";
  return ", " + join_text(record.left_out, ", ") + " left out";
}

void Importer::leave_out(std::int64_t count, const std::string& one, const std::string& many) {
  if (count > 0) record_.left_out.push_back(counted(count, one, many));
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

Format detect_format(Input& input) {
  if (input.is_folder()) return Format::images;
  if (input.is_container()) {
    Input first(input.unpack(), 0);
    const Format format = detect_format(first);
    // NumPy's own archives, of which one array holds the examples and another one the labels.
    const bool is_npz = format == Format::npy && input.unpack()->packing() == Packing::zip;
    return is_npz ? Format::npz : format;
  }
  const std::span<const std::byte> first = input.peek(signature_bytes);
  if (first.empty()) fail(ErrorKind::data, input.name(), "is empty");
  const Signature* const found = find_signature(first);
  if (found != nullptr && !found->format.empty()) return *format_of(std::string(found->format));
  const std::string bytes = hex_words(first.first(std::min<std::size_t>(4, first.size())));
  if (found == nullptr)
    fail(ErrorKind::data, input.name(), "no known format (first bytes " + bytes + ")",
         "name it: pack-data csv, text, bytes or cifar10");
  fail(ErrorKind::data, input.name(),
       "is " + std::string(found->called) + ", which auto does not take",
       command_for(*found, input.name()));
}

std::unique_ptr<Importer> open_import(Format format, std::vector<Input> inputs,
                                      const ImportOptions& options) {
  LOGPX_ASSERT(!inputs.empty());
  if (format == Format::automatic) format = detect_format(inputs.front());
  check_consistent(options, format);
  const auto files = [&] { return unpacked(std::move(inputs), options.members); };
  switch (format) {  // images and npz look into archives themselves; bytes takes them as they are
    case Format::idx: return with_tiles(open_idx(files(), options), options);
    case Format::cifar10: return with_tiles(open_cifar10(files(), options), options);
    case Format::mat: return open_mat(files(), options);
    case Format::images: return open_images(std::move(inputs), options);
    case Format::npy: return open_npy(files(), options);
    case Format::npz: return open_npz(std::move(inputs), options);
    case Format::csv: return open_csv(files(), options);
    case Format::text: return open_text(files(), options);
    case Format::bytes: return open_bytes(std::move(inputs), options);
    case Format::automatic: break;
  }
  fail(ErrorKind::usage, word_of(format), "has no reader in this build");
}

}  // namespace logpx
