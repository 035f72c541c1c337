// Encoder and decoder by one kind of contexts; each kind is compiled in a source of its own.
#pragma once

#include "libcore/codec/adaptive/code_block.hpp"
#include "libcore/codec/adaptive/lanes.hpp"
#include "libcore/codec/adaptive/lanes_avx2.hpp"
#include "libcore/codec/adaptive/predictor.hpp"
#include "libcore/det/isa.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace logpx::codec::adaptive {

struct BlockModel {
  std::vector<std::byte> (*encode)(std::span<const std::uint8_t> data, Canvas& canvas,
                                   const Form& form, std::size_t most);
  void (*decode)(std::span<const std::byte> coded, Canvas& canvas, const Form& form);
  std::vector<std::byte> (*encode_advised)(std::span<const std::uint8_t> data, Canvas& canvas,
                                           const Form& form, std::size_t most, Adviser& adviser);
  void (*decode_advised)(std::span<const std::byte> coded, Canvas& canvas, const Form& form,
                         Adviser& adviser);
};

// Once for any processor, and once more, all in one function, for those that have AVX2.
template <typename Contexts, typename Parts = AllParts>
struct PlainModel {
  static std::vector<std::byte> encode(std::span<const std::uint8_t> data, Canvas& canvas,
                                       const Form& form, std::size_t most) {
    auto predictor = begun<Predictor<Contexts, PlainLanes, NoAdvice, Parts>>(form, canvas);
    return encode_by(predictor, data, canvas, most);
  }
  static void decode(std::span<const std::byte> coded, Canvas& canvas, const Form& form) {
    auto predictor = begun<Predictor<Contexts, PlainLanes, NoAdvice, Parts>>(form, canvas);
    decode_by(predictor, coded, canvas);
  }
};
#if defined(__x86_64__)
template <typename Contexts, typename Parts = AllParts>
struct Avx2Model {
  [[gnu::target("arch=x86-64-v3"), gnu::flatten]] static std::vector<std::byte> encode(
      std::span<const std::uint8_t> data, Canvas& canvas, const Form& form, std::size_t most) {
    auto predictor = begun<Predictor<Contexts, Avx2Lanes, NoAdvice, Parts>>(form, canvas);
    return encode_by(predictor, data, canvas, most);
  }
  [[gnu::target("arch=x86-64-v3"), gnu::flatten]] static void decode(
      std::span<const std::byte> coded, Canvas& canvas, const Form& form) {
    auto predictor = begun<Predictor<Contexts, Avx2Lanes, NoAdvice, Parts>>(form, canvas);
    decode_by(predictor, coded, canvas);
  }
};
#endif

// An adviser takes so long that its coder is not worth compiling twice.
template <typename Contexts>
struct AdvisedModel {
  static std::vector<std::byte> encode(std::span<const std::uint8_t> data, Canvas& canvas,
                                       const Form& form, std::size_t most, Adviser& adviser) {
    auto predictor = begun<Predictor<Contexts, PlainLanes, TrainedAdvice>>(form, canvas, adviser);
    return encode_by(predictor, data, canvas, most);
  }
  static void decode(std::span<const std::byte> coded, Canvas& canvas, const Form& form,
                     Adviser& adviser) {
    auto predictor = begun<Predictor<Contexts, PlainLanes, TrainedAdvice>>(form, canvas, adviser);
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
[[nodiscard]] BlockModel grey_model_of_2_5(Level level);
[[nodiscard]] BlockModel rgb_model(Level level);
[[nodiscard]] BlockModel planar_model(Level level);
[[nodiscard]] BlockModel bit_model(Level level);
[[nodiscard]] BlockModel molecule_model(Level level);
[[nodiscard]] BlockModel sample_model(Level level);
[[nodiscard]] BlockModel x86_model(Level level);
[[nodiscard]] BlockModel dna_model(Level level);
[[nodiscard]] BlockModel arm_model(Level level);
[[nodiscard]] BlockModel rgba_model(Level level);
[[nodiscard]] BlockModel drawn_rgb_model(Level level);

}  // namespace logpx::codec::adaptive
