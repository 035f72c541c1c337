// How the bytes of a block are to be read: parameters of the block, chosen by the encoder.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace logpx::codec::adaptive {

// text:    bytes in the order in which people write them.
// records: rows of `row` bytes; 0: of unknown length.
// grey:    rasters of a byte per pixel; `plane`, if not 0, is the size of each.
// rgb:     rasters of three bytes per pixel.
// planar:  rasters whose colours come one after another, `plane` bytes each.
// bits:    rasters of eight pixels per byte.
// molecules: SMILES, one a line.
// samples: whole numbers of one to three bytes; `row`, if not 0, and `plane` are those of rasters.
// x86_code: programs for x86-64.
// dna: letters A, C, G and T, in lines or not.
// arm_code: programs for AArch64; instructions begin at multiples of four bytes.
// rgba: rasters of four bytes a pixel.
// drawn_rgb: rgb in which neighbours are often equal.
// grey_of_2_5: grey as versions 2.4 and 2.5 of the format code it; such blocks are still decoded.
enum class Kind : std::uint8_t {
  records = 1,
  grey,
  rgb,
  planar,
  bits,
  text,
  molecules,
  samples,
  x86_code,
  dna,
  arm_code = 12,
  rgba,
  drawn_rgb,
  grey_of_2_5 = 64
};

enum class ByteOrder : std::uint8_t { little, big };
// Whether the highest bit of a sample says that it is negative (two's complement).
enum class Sign : std::uint8_t { none, highest_bit };

// How samples lie in a block: frames of as many samples as there are channels, after `offset`
// bytes that are none.
struct SampleForm {
  static constexpr int most_channels = 32, most_bytes = 3;
  std::uint8_t channels = 0, bytes = 0;
  ByteOrder order = ByteOrder::little;
  Sign sign = Sign::highest_bit;
  std::uint32_t offset = 0;

  [[nodiscard]] std::uint32_t frame() const { return std::uint32_t{channels} * bytes; }
  friend bool operator==(const SampleForm&, const SampleForm&) = default;
};

struct Form {
  Kind kind = Kind::text;
  std::uint32_t row = 0, plane = 0;  // bytes
  SampleForm samples = {};           // of the kind that is called so

  // What is read before a block is a multiple of, as is where a part of it begins.
  [[nodiscard]] std::uint32_t unit() const {
    return kind == Kind::arm_code ? 4 : std::max(std::uint32_t{1}, row);
  }
  friend bool operator==(const Form&, const Form&) = default;
};

// Whether a block of so many bytes can have this form.
[[nodiscard]] bool fits(const Form& form, std::size_t size);

// Decides the number of contexts and the memory for what they have seen.
enum class Level : std::uint8_t { normal, best };

class Taught;

// What a block begins with: its level, and bytes that the model has read before the first.
struct Start {
  Start(Level l, std::span<const std::uint8_t> read = {}, Taught* kept = nullptr)
      : level(l), before(read), taught(kept) {}
  Level level;
  std::span<const std::uint8_t> before;
  Taught* taught;  // null, or what they teach is kept there
};

}  // namespace logpx::codec::adaptive
