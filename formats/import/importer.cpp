#include "formats/import/importer.hpp"

#include "formats/import/container.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"

#include <algorithm>
#include <array>

namespace logpx {
namespace {

struct Magic {
  std::string_view bytes;
  Format format;
  const char* called;
};

// What a first look can tell. IDX has no fixed magic; see is_idx().
constexpr std::array magics = {
    Magic{"\x89PNG\r\n\x1a\n", Format::images, "PNG"},
    Magic{"\xff\xd8\xff", Format::images, "JPEG"},
    Magic{"BM", Format::images, "BMP"},
    Magic{"P4", Format::images, "PNM"},
    Magic{"P5", Format::images, "PNM"},
    Magic{"P6", Format::images, "PNM"},
    Magic{"\x93NUMPY", Format::npy, "npy"},
    Magic{"MATLAB 5.0 MAT-file", Format::mat, "MATLAB 5"},
    Magic{"MATLAB 7.3 MAT-file", Format::mat, "MATLAB 7.3"},
};

bool is_idx(std::span<const std::byte> first) {
  if (first.size() < 4 || first[0] != std::byte{0} || first[1] != std::byte{0}) return false;
  const auto type = std::to_integer<int>(first[2]), rank = std::to_integer<int>(first[3]);
  const bool known = type == 8 || type == 9 || (type >= 0x0b && type <= 0x0e);
  return known && rank >= 1 && rank <= 4;
}

std::string counted(std::int64_t count, const std::string& one, const std::string& many) {
  return std::to_string(count) + ' ' + (count == 1 ? one : many);
}

const Magic* find_magic(std::span<const std::byte> first) {
  for (const Magic& magic : magics)
    if (begins_with(first, magic.bytes)) return &magic;
  return nullptr;
}

}  // namespace

std::string looks_like_hint(std::span<const std::byte> first) {
  if (is_idx(first)) return "this looks like IDX; try: pack-data idx";
  if (const Magic* magic = find_magic(first))
    return std::string("this looks like ") + magic->called + "; try: pack-data " +
           word_of(magic->format);
  return packing_of(first) == Packing::none ? "" : "this is an archive in an archive; unpack it";
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
  const std::span<const std::byte> first = input.peek(512);
  if (is_idx(first)) return Format::idx;
  if (const Magic* magic = find_magic(first)) return magic->format;
  if (first.empty()) fail(ErrorKind::data, input.name(), "is empty");
  const std::string hint = looks_like_hint(first);
  fail(ErrorKind::data, input.name(),
       "no known format (first bytes " +
           hex_words(first.first(std::min<std::size_t>(4, first.size()))) + ")",
       hint.empty() ? "name it: pack-data csv, text, bytes or cifar10" : hint);
}

std::unique_ptr<Importer> open_import(Format format, std::vector<Input> inputs,
                                      const ImportOptions& options) {
  LOGPX_ASSERT(!inputs.empty());
  if (format == Format::automatic) format = detect_format(inputs.front());
  check_consistent(options, format);
  const auto files = [&] { return unpacked(std::move(inputs), options.members); };
  switch (format) {  // images and npz look into archives themselves; bytes takes them as they are
    case Format::idx: return open_idx(files(), options);
    case Format::cifar10: return open_cifar10(files(), options);
    case Format::mat: return open_mat(files(), options);
    case Format::images: return open_images(std::move(inputs), options);
    case Format::npy: return open_npy(files(), options);
    case Format::npz: return open_npz(std::move(inputs), options);
    case Format::csv: return open_csv(files(), options);
    case Format::text: return open_text(files(), options);
    case Format::bytes: return open_bytes(std::move(inputs), options);
    case Format::automatic:
    case Format::smiles: break;
  }
  fail(ErrorKind::usage, word_of(format), "has no reader in this build");
}

}  // namespace logpx
