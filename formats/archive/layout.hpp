// Files of samples: which bytes are the header, kept verbatim, and how the samples after it are
// arranged. The header alone decides, so that a decoder finds the same layout in a member's meta.
#pragma once

#include "formats/archive/records.hpp"

#include <compare>
#include <cstdint>
#include <optional>

namespace logpx::archive {

struct RasterShape {
  std::int64_t height = 0, width = 0, channels = 1;
  [[nodiscard]] std::int64_t size() const { return height * width * channels; }
  friend auto operator<=>(const RasterShape&, const RasterShape&) = default;
};

struct SampleLayout {
  MemberKind kind = MemberKind::bytes;
  std::size_t header_bytes = 0;
  std::int64_t rasters = 0;
  RasterShape shape = {};    // of each, in samples of one byte
  bool packed_bits = false;  // PBM: eight samples of 0 and 1 to a byte of the file

  [[nodiscard]] std::int64_t file_bytes() const {  // of one raster
    return packed_bits ? shape.size() / 8 : shape.size();
  }
};

// The bytes of a file's beginning that suffice to find its layout.
inline constexpr std::size_t layout_window = 1 << 17;

// PNM (P4, P5, P6 with 255 levels), IDX and npy of bytes in C order. Nothing for anything else,
// even if it looks similar: such a file is coded as bytes.
[[nodiscard]] std::optional<SampleLayout> find_layout(ByteView first);

// A PNM file of packed bits ('4'), grey ('5') or colours ('6').
struct PnmHeader {
  char kind = '5';
  std::int64_t width = 0, height = 0, channels = 1, greatest = 255;
  std::size_t bytes = 0;
};
[[nodiscard]] std::optional<PnmHeader> read_pnm_header(ByteView first);

// The sizes of an IDX or npy array, as its header says, and such a header for bytes.
[[nodiscard]] std::vector<std::int64_t> array_sizes(ByteView header);
[[nodiscard]] ByteVector array_header(MemberKind kind, std::span<const std::int64_t> sizes);

// Eight samples of 0 and 1 per byte, the highest bit first.
[[nodiscard]] ByteVector unpack_bits(ByteView packed);
[[nodiscard]] ByteVector pack_bits(ByteView samples);

}  // namespace logpx::archive
