// Blocks coded and decoded step by step, as a predictor asks for them.
#pragma once

#include "libcore/codec/adaptive/bit_coder.hpp"
#include "libcore/codec/adaptive/canvas.hpp"
#include "libcore/codec/adaptive/taught.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

namespace logpx::codec::adaptive {

// A new one, or a copy of one that has read what stands before the block.
template <typename Predictor>
Predictor begun(const Form& form, Canvas& canvas, auto&... adviser) {
  if constexpr (Predictor::is_kept) {
    const Predictor* const taught =
        canvas.taught != nullptr ? canvas.taught->find<Predictor>() : nullptr;
    return taught != nullptr ? Predictor(*taught, canvas.block())
                             : Predictor(form, canvas.data(), canvas.size());
  } else {
    return Predictor(form, canvas.data(), canvas.size(), adviser...);
  }
}

// When what stands before the block has been read.
template <typename Predictor>
void begin_block(Predictor& predictor, Canvas& canvas) {
  predictor.begin_block();
  if constexpr (Predictor::is_kept)
    if (canvas.taught != nullptr && canvas.taught->find<Predictor>() == nullptr)
      canvas.taught->keep(std::make_shared<const Predictor>(predictor, canvas.block()));
}

// Which byte comes next, and which bit of it; a flat pixel passes over its bytes at once.
struct Place {
  std::size_t byte = 0;
  int shift = 7;

  template <typename Predictor>
  void learn(Predictor& predictor, int bit) {
    const bool flat = predictor.asks_flat();
    predictor.learn(bit);
    if (flat) byte += bit != 0 ? Predictor::flat_bytes : 0;
    else if (shift-- == 0) shift = 7, ++byte;
  }
};

// The answer to what the predictor asks for, of bytes that are known.
template <typename Predictor>
int next_bit(const Predictor& predictor, std::span<const std::uint8_t> bytes, const Place& place) {
  if (!predictor.asks_flat()) return bytes[place.byte] >> place.shift & 1;
  const auto pixel = predictor.last_pixel(), rest = bytes.subspan(place.byte);
  return rest.size() >= pixel.size() && std::ranges::equal(pixel, rest.first(pixel.size()));
}

inline std::span<const std::uint8_t> read_before(const Canvas& canvas) {
  return {canvas.bytes.data() + canvas.zeros, canvas.read};
}

// What was read before the block and the block itself go through one loop, so that what it calls is
// compiled once.
template <typename Predictor>
std::vector<std::byte> encode_by(Predictor& predictor, std::span<const std::uint8_t> data,
                                 Canvas& canvas, std::size_t most) {
  BitEncoder coder;
  for (const bool codes : {false, true}) {
    const auto bytes = codes ? data : read_before(canvas);
    if (codes) begin_block(predictor, canvas);
    Place place{codes ? 0 : predictor.bytes()};
    while (place.byte < bytes.size() && coder.bytes() <= most) {
      const int bit = next_bit(predictor, bytes, place);
      if (codes) coder.code(bit, predictor.chance());
      place.learn(predictor, bit);
    }
  }
  return coder.finish();
}

template <typename Predictor>
void decode_by(Predictor& predictor, std::span<const std::byte> coded, Canvas& canvas) {
  BitDecoder coder(coded);
  for (const bool codes : {false, true}) {
    const std::size_t size = codes ? canvas.size() - canvas.read : canvas.read;
    if (codes) begin_block(predictor, canvas);
    Place place{codes ? 0 : predictor.bytes()};
    while (place.byte < size)
      place.learn(predictor, codes ? coder.code(predictor.chance())
                                   : next_bit(predictor, read_before(canvas), place));
  }
}

}  // namespace logpx::codec::adaptive
