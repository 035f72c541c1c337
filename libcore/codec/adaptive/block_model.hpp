// Both directions by one kind of contexts: what the sources of the kinds give to encode and decode.
#pragma once

#include "libcore/codec/adaptive/bit_coder.hpp"
#include "libcore/codec/adaptive/lanes.hpp"
#include "libcore/codec/adaptive/lanes_avx2.hpp"
#include "libcore/codec/adaptive/predictor.hpp"
#include "libcore/det/isa.hpp"

#include <span>
#include <vector>

namespace logpx::codec::adaptive {

// The data as contexts see them: room for the block, with zeros before it.
struct Canvas {
  explicit Canvas(const Form& form, std::size_t size)
      : before(std::size_t{4} * form.row + std::size_t{2} * form.plane + 16),
        bytes(before + size) {}
  [[nodiscard]] std::uint8_t* data() { return bytes.data() + before; }

  std::size_t before;
  std::vector<std::uint8_t> bytes;
};

struct BlockModel {
  std::vector<std::byte> (*encode)(std::span<const std::uint8_t> data, const Form& form,
                                   std::size_t most);
  void (*decode)(std::span<const std::byte> coded, std::size_t size, Canvas& canvas,
                 const Form& form);
};

template <typename Predictor>
std::vector<std::byte> encode_by(Predictor& predictor, std::span<const std::uint8_t> data,
                                 std::size_t most) {
  BitEncoder coder;
  for (const unsigned byte : data) {
    for (int shift = 7; shift >= 0; --shift) {
      const int bit = static_cast<int>(byte >> shift & 1);
      coder.code(bit, predictor.chance());
      predictor.learn(bit);
    }
    if (coder.bytes() > most) break;
  }
  return coder.finish();
}

template <typename Predictor>
void decode_by(Predictor& predictor, std::span<const std::byte> coded, std::size_t size) {
  BitDecoder coder(coded);
  for (std::size_t i = 0; i < 8 * size; ++i) predictor.learn(coder.code(predictor.chance()));
}

// Once for any processor, and once more, all in one function, for those that have AVX2.
template <typename Contexts>
struct PlainModel {
  static std::vector<std::byte> encode(std::span<const std::uint8_t> data, const Form& form,
                                       std::size_t most) {
    Canvas canvas(form, data.size());
    Predictor<Contexts, PlainLanes> predictor(form, canvas.data(), data.size());
    return encode_by(predictor, data, most);
  }
  static void decode(std::span<const std::byte> coded, std::size_t size, Canvas& canvas,
                     const Form& form) {
    Predictor<Contexts, PlainLanes> predictor(form, canvas.data(), size);
    decode_by(predictor, coded, size);
  }
};
#if defined(__x86_64__)
template <typename Contexts>
struct Avx2Model {
  [[gnu::target("arch=x86-64-v3"), gnu::flatten]] static std::vector<std::byte> encode(
      std::span<const std::uint8_t> data, const Form& form, std::size_t most) {
    Canvas canvas(form, data.size());
    Predictor<Contexts, Avx2Lanes> predictor(form, canvas.data(), data.size());
    return encode_by(predictor, data, most);
  }
  [[gnu::target("arch=x86-64-v3"), gnu::flatten]] static void decode(
      std::span<const std::byte> coded, std::size_t size, Canvas& canvas, const Form& form) {
    Predictor<Contexts, Avx2Lanes> predictor(form, canvas.data(), size);
    decode_by(predictor, coded, size);
  }
};
#endif

template <typename Contexts>
BlockModel model_by() {
#if defined(__x86_64__)
  if (active_isa() != Isa::baseline)
    return {Avx2Model<Contexts>::encode, Avx2Model<Contexts>::decode};
#endif
  return {PlainModel<Contexts>::encode, PlainModel<Contexts>::decode};
}

// By kind; each is made in a source of its own.
[[nodiscard]] BlockModel text_model(Level level);
[[nodiscard]] BlockModel record_model(Level level);
[[nodiscard]] BlockModel grey_model(Level level);
[[nodiscard]] BlockModel rgb_model(Level level);
[[nodiscard]] BlockModel planar_model(Level level);
[[nodiscard]] BlockModel bit_model(Level level);

}  // namespace logpx::codec::adaptive
