#include "formats/import/importer.hpp"

#include "libcore/base/error.hpp"

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
    Magic{"PK\x03\x04", Format::npz, "zip"},
    Magic{"MATLAB 5.0 MAT-file", Format::mat, "MATLAB 5"},
    Magic{"MATLAB 7.3 MAT-file", Format::mat, "MATLAB 7.3"},
};

bool is_idx(std::span<const std::byte> first) {
  if (first.size() < 4 || first[0] != std::byte{0} || first[1] != std::byte{0}) return false;
  const auto type = std::to_integer<int>(first[2]), rank = std::to_integer<int>(first[3]);
  const bool known = type == 8 || type == 9 || (type >= 0x0b && type <= 0x0e);
  return known && rank >= 1 && rank <= 4;
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
  const bool tar = first.size() > 262 && begins_with(first.subspan(257), "ustar");
  return tar ? "this is a tar archive; unpack it first" : "";
}

Format detect_format(Input& input) {
  if (input.is_folder()) return Format::images;
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
  switch (format) {
    case Format::idx: return open_idx(std::move(inputs), options);
    case Format::cifar10: return open_cifar10(std::move(inputs), options);
    case Format::mat: return open_mat(std::move(inputs), options);
    case Format::images: return open_images(std::move(inputs), options);
    case Format::npy: return open_npy(std::move(inputs), options);
    case Format::npz: return open_npz(std::move(inputs), options);
    case Format::csv: return open_csv(std::move(inputs), options);
    case Format::text: return open_text(std::move(inputs), options);
    case Format::bytes: return open_bytes(std::move(inputs), options);
    case Format::automatic:
    case Format::smiles: break;
  }
  fail(ErrorKind::usage, word_of(format), "has no reader in this build");
}

}  // namespace logpx
