// Encoder and decoder by one kind of contexts; each kind is compiled in a source of its own.
#pragma once

#include "libcore/codec/adaptive/bit_coder.hpp"
#include "libcore/codec/adaptive/lanes.hpp"
#include "libcore/codec/adaptive/lanes_avx2.hpp"
#include "libcore/codec/adaptive/predictor.hpp"
#include "libcore/det/isa.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace logpx::codec::adaptive {

// The data as contexts see them: zeros, what is read before the block, the block, and a margin at
// which contexts of narrow rows look. Only whole rows or planes are read before the block, so that
// it begins where a row does.
struct Canvas {
  Canvas(const Form& form, std::span<const std::uint8_t> before, std::size_t size)
      : zeros(std::size_t{4} * form.row + std::size_t{2} * form.plane + 16 +
              std::size_t{40} * form.samples.frame()),
        read(before.size() / unit_of(form) * unit_of(form)),
        bytes(zeros + read + size + behind) {
    std::ranges::copy(before.last(read), bytes.begin() + static_cast<std::ptrdiff_t>(zeros));
    // Samples that are 0, their signs turned over.
    if (form.kind == Kind::samples)
      for (std::size_t i = form.samples.bytes; i <= zeros; i += form.samples.bytes)
        bytes[zeros - i] = 0x80;
  }
  static std::size_t unit_of(const Form& form) {
    return std::max<std::size_t>({1, form.row, form.plane});
  }
  // The bytes that are read before, and the block.
  [[nodiscard]] std::size_t size() const { return bytes.size() - zeros - behind; }
  [[nodiscard]] std::uint8_t* data() { return bytes.data() + zeros; }

  static constexpr std::size_t behind = 16;
  std::size_t zeros, read;
  std::vector<std::uint8_t> bytes;
};

struct BlockModel {
  std::vector<std::byte> (*encode)(std::span<const std::uint8_t> data, Canvas& canvas,
                                   const Form& form, std::size_t most);
  void (*decode)(std::span<const std::byte> coded, Canvas& canvas, const Form& form);
  std::vector<std::byte> (*encode_advised)(std::span<const std::uint8_t> data, Canvas& canvas,
                                           const Form& form, std::size_t most, Adviser& adviser);
  void (*decode_advised)(std::span<const std::byte> coded, Canvas& canvas, const Form& form,
                         Adviser& adviser);
};

template <typename Predictor>
void read_before(Predictor& predictor, const Canvas& canvas) {
  const std::uint8_t* const first = canvas.bytes.data() + canvas.zeros;
  for (std::size_t i = 0; i < canvas.read; ++i)
    for (int shift = 7; shift >= 0; --shift) predictor.learn(first[i] >> shift & 1);
  predictor.begin_block();
}

template <typename Predictor>
std::vector<std::byte> encode_by(Predictor& predictor, std::span<const std::uint8_t> data,
                                 const Canvas& canvas, std::size_t most) {
  read_before(predictor, canvas);
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
void decode_by(Predictor& predictor, std::span<const std::byte> coded, const Canvas& canvas) {
  read_before(predictor, canvas);
  BitDecoder coder(coded);
  for (std::size_t left = 8 * (canvas.size() - canvas.read); left > 0; --left)
    predictor.learn(coder.code(predictor.chance()));
}

// Once for any processor, and once more, all in one function, for those that have AVX2.
template <typename Contexts, typename Parts = AllParts>
struct PlainModel {
  static std::vector<std::byte> encode(std::span<const std::uint8_t> data, Canvas& canvas,
                                       const Form& form, std::size_t most) {
    Predictor<Contexts, PlainLanes, NoAdvice, Parts> predictor(form, canvas.data(), canvas.size());
    return encode_by(predictor, data, canvas, most);
  }
  static void decode(std::span<const std::byte> coded, Canvas& canvas, const Form& form) {
    Predictor<Contexts, PlainLanes, NoAdvice, Parts> predictor(form, canvas.data(), canvas.size());
    decode_by(predictor, coded, canvas);
  }
};
#if defined(__x86_64__)
template <typename Contexts, typename Parts = AllParts>
struct Avx2Model {
  [[gnu::target("arch=x86-64-v3"), gnu::flatten]] static std::vector<std::byte> encode(
      std::span<const std::uint8_t> data, Canvas& canvas, const Form& form, std::size_t most) {
    Predictor<Contexts, Avx2Lanes, NoAdvice, Parts> predictor(form, canvas.data(), canvas.size());
    return encode_by(predictor, data, canvas, most);
  }
  [[gnu::target("arch=x86-64-v3"), gnu::flatten]] static void decode(
      std::span<const std::byte> coded, Canvas& canvas, const Form& form) {
    Predictor<Contexts, Avx2Lanes, NoAdvice, Parts> predictor(form, canvas.data(), canvas.size());
    decode_by(predictor, coded, canvas);
  }
};
#endif

// An adviser takes so long that its coder is not worth compiling twice.
template <typename Contexts>
struct AdvisedModel {
  static std::vector<std::byte> encode(std::span<const std::uint8_t> data, Canvas& canvas,
                                       const Form& form, std::size_t most, Adviser& adviser) {
    Predictor<Contexts, PlainLanes, TrainedAdvice> predictor(form, canvas.data(), canvas.size(),
                                                             adviser);
    return encode_by(predictor, data, canvas, most);
  }
  static void decode(std::span<const std::byte> coded, Canvas& canvas, const Form& form,
                     Adviser& adviser) {
    Predictor<Contexts, PlainLanes, TrainedAdvice> predictor(form, canvas.data(), canvas.size(),
                                                             adviser);
    decode_by(predictor, coded, canvas);
  }
};

template <typename Contexts>
BlockModel model_by() {
  using Advised = AdvisedModel<Contexts>;
#if defined(__x86_64__)
  if (active_isa() != Isa::baseline)
    return {Avx2Model<Contexts>::encode, Avx2Model<Contexts>::decode, Advised::encode,
            Advised::decode};
#endif
  return {PlainModel<Contexts>::encode, PlainModel<Contexts>::decode, Advised::encode,
          Advised::decode};
}

// One for each kind, in a source of its own.
[[nodiscard]] BlockModel text_model(Level level);
[[nodiscard]] BlockModel record_model(Level level);
[[nodiscard]] BlockModel grey_model(Level level);
[[nodiscard]] BlockModel rgb_model(Level level);
[[nodiscard]] BlockModel planar_model(Level level);
[[nodiscard]] BlockModel bit_model(Level level);
[[nodiscard]] BlockModel molecule_model(Level level);
[[nodiscard]] BlockModel sample_model(Level level);

}  // namespace logpx::codec::adaptive
