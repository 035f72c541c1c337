// How the bytes of a block are to be read: parameters of the block, chosen by the encoder.
#pragma once

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
// text_of_2_1, text_of_2_3, rgb_of_2_2: these kinds as they were coded up to that version of the
// format; such blocks are still decoded.
enum class Kind : std::uint8_t {
  text_of_2_1,
  records,
  grey,
  rgb,
  planar,
  bits,
  text,
  molecules,
  rgb_of_2_2,
  text_of_2_3
};

struct Form {
  Kind kind = Kind::text;
  std::uint32_t row = 0, plane = 0;  // bytes
  friend bool operator==(const Form&, const Form&) = default;
};

// Whether a block of so many bytes can have this form.
[[nodiscard]] bool fits(const Form& form, std::size_t size);

// Decides the number of contexts and the memory for what they have seen.
enum class Level : std::uint8_t { normal, best };

// What a block begins with: its level, and bytes that the model has read before the first.
struct Start {
  Start(Level l, std::span<const std::uint8_t> read = {}) : level(l), before(read) {}
  Level level;
  std::span<const std::uint8_t> before;
};

}  // namespace logpx::codec::adaptive
