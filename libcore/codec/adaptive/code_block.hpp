// Blocks coded and decoded step by step, as a predictor asks for them.
#pragma once

#include "libcore/codec/adaptive/bit_coder.hpp"
#include "libcore/codec/adaptive/canvas.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace logpx::codec::adaptive {

// Codes what the predictor asks for next: a pixel that is as flat as those around it, or a byte.
// The number of bytes that were taken.
template <typename Predictor, typename Code>
std::size_t code_next(Predictor& predictor, std::span<const std::uint8_t> data, const Code& code) {
  if constexpr (Predictor::knows_flat)
    if (predictor.asks_flat()) {
      const auto pixel = predictor.last_pixel();
      const bool equal =
          data.size() >= pixel.size() && std::ranges::equal(pixel, data.first(pixel.size()));
      code(equal);
      predictor.learn_flat(equal);
      if (equal) return pixel.size();
    }
  for (int shift = 7; shift >= 0; --shift) {
    const int bit = data.front() >> shift & 1;
    code(bit);
    predictor.learn(bit);
  }
  return 1;
}

template <typename Predictor>
void read_before(Predictor& predictor, const Canvas& canvas) {
  std::span<const std::uint8_t> read(canvas.bytes.data() + canvas.zeros, canvas.read);
  while (!read.empty()) read = read.subspan(code_next(predictor, read, [](int) {}));
  predictor.begin_block();
}

template <typename Predictor>
std::vector<std::byte> encode_by(Predictor& predictor, std::span<const std::uint8_t> data,
                                 const Canvas& canvas, std::size_t most) {
  read_before(predictor, canvas);
  BitEncoder coder;
  const auto code = [&](int bit) { coder.code(bit, predictor.chance()); };
  while (!data.empty() && coder.bytes() <= most)
    data = data.subspan(code_next(predictor, data, code));
  return coder.finish();
}

template <typename Predictor>
void decode_by(Predictor& predictor, std::span<const std::byte> coded, const Canvas& canvas) {
  read_before(predictor, canvas);
  BitDecoder coder(coded);
  for (std::size_t left = canvas.size() - canvas.read; left > 0;) {
    if constexpr (Predictor::knows_flat)
      if (predictor.asks_flat()) {
        const int equal = coder.code(predictor.chance());
        predictor.learn_flat(equal);
        if (equal != 0) {
          left -= std::min(left, Predictor::flat_bytes);
          continue;
        }
      }
    for (int bits = 0; bits < 8; ++bits) predictor.learn(coder.code(predictor.chance()));
    --left;
  }
}

}  // namespace logpx::codec::adaptive
