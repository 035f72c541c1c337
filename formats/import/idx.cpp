// IDX, the format of MNIST: 00 00 type rank, big-endian sizes, then the elements.
#include "formats/file/signature.hpp"
#include "formats/import/array_importer.hpp"
#include "formats/import/tiles.hpp"
#include "libcore/base/error.hpp"

#include <array>

namespace logpx {
namespace {

std::optional<NumberType> idx_type(std::byte code) {
  switch (std::to_integer<int>(code)) {
    case 0x08: return NumberType::u8;
    case 0x09: return NumberType::i8;
    case 0x0b: return NumberType::i16;
    case 0x0c: return NumberType::i32;
    case 0x0d: return NumberType::f32;
    case 0x0e: return NumberType::f64;
    default: return std::nullopt;
  }
}

ArrayLayout read_idx_header(ByteStream& stream) {
  std::array<std::byte, signature_bytes> start{};
  const std::size_t got = stream.read(std::span(start).first(4));
  const int rank = std::to_integer<int>(start[3]);
  const auto type = idx_type(start[2]);
  if (got == 0) fail(ErrorKind::data, stream.name(), "is empty");
  if (got < 4 || start[0] != std::byte{0} || start[1] != std::byte{0} || !type || rank < 1 ||
      rank > 4) {
    const std::size_t more = stream.read(std::span(start).subspan(got));
    fail(ErrorKind::data, stream.name(),
         "not IDX (first bytes " + hex_words(std::span(start).first(got)) + ")",
         looks_like_hint(std::span(start).first(got + more)));
  }
  ArrayLayout layout;
  layout.type = *type;
  layout.big_endian = true;
  std::array<std::byte, 16> sizes{};
  const auto size_bytes = static_cast<std::size_t>(rank) * 4;
  if (stream.read(std::span(sizes).first(size_bytes)) < size_bytes)
    fail(ErrorKind::data, stream.name(), "ends inside the IDX header");
  for (std::size_t i = 0; i < size_bytes; i += 4)
    layout.sizes.push_back(
        static_cast<std::int64_t>(load_number(&sizes[i], NumberType::u32, true)));
  check_sizes(layout, stream.name());
  const std::uint64_t header = 4 + size_bytes;
  if (const auto size = stream.size(); size && *size - header != layout.bytes())
    fail_payload(layout, *size - header, stream.name());
  return layout;
}

bool is_idx(std::string_view first) {
  if (first.size() < 4 || first[0] != 0 || first[1] != 0) return false;
  const int type = first[2], rank = first[3];
  const bool known = type == 8 || type == 9 || (type >= 0x0b && type <= 0x0e);
  return known && rank >= 1 && rank <= 4;
}

std::unique_ptr<Importer> open_idx(Inputs inputs, const ImportOptions& options) {
  Inputs files = unpacked(std::move(inputs), options.members), labels;
  for (const std::string& path : options.labels) labels.emplace_back(path);
  std::vector<OpenArray> examples = open_arrays(std::move(files), read_idx_header);
  auto importer = import_arrays(std::move(examples),
                                open_arrays(unpacked(std::move(labels)), read_idx_header), options);
  return with_tiles(std::move(importer), options);
}

}  // namespace

namespace foreign {

ImportFormat idx() {
  return {.word = "idx",
          .says = "arrays as MNIST has them",
          .known_by = {{"an IDX file", "", is_idx}},
          .options = {"members", "labels", "shape", "size", "tile"},
          .open = open_idx};
}

}  // namespace foreign
}  // namespace logpx
