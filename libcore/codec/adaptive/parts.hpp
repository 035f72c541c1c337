// What a predictor is made of: its contexts, of which a class need not define all that is asked of
// it here, and parts that are the same for all contexts.
#pragma once

#include "libcore/codec/adaptive/final_maps.hpp"
#include "libcore/codec/adaptive/form.hpp"
#include "libcore/codec/adaptive/histories.hpp"
#include "libcore/codec/adaptive/logistic.hpp"
#include "libcore/codec/adaptive/match_model.hpp"
#include "libcore/codec/adaptive/mixer.hpp"
#include "libcore/codec/adaptive/room.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace logpx::codec::adaptive {

// tests/bench/coder_parts replaces each in turn, to tell what it is worth.
struct AllParts {
  template <int count, int first_rare>
  using ContextHistories = Histories<count, first_rare>;
  using Repeats = MatchModel;
  template <int inputs, int sets, typename Lanes>
  using Weights = MixerSets<inputs, sets, Lanes>;
  template <int sets>
  using LastWeights = LastMixer<sets>;
  using Corrections = FinalMaps;
};

// The first of the rare contexts, most of whose values come once; all after it are rare, too.
template <typename Contexts>
constexpr int first_rare_of() {
  if constexpr (requires { Contexts::first_rare; }) return Contexts::first_rare;
  else return Contexts::count;
}

// The rate at which weights begin to learn, beside that at which they go on.
template <typename Contexts>
constexpr int early_rate_of() {
  if constexpr (requires { Contexts::early_rate; }) return Contexts::early_rate;
  else return 384;
}

// Bytes of tables that the contexts keep themselves, for a block of so many bytes.
template <typename Contexts>
constexpr std::size_t other_tables(std::size_t size) {
  if constexpr (requires { Contexts::other_tables(size); }) return Contexts::other_tables(size);
  else return 0;
}
template <typename Contexts>
constexpr Sizes sizes_of(std::size_t size) {
  return sizes_for(size, Contexts::level_of, first_rare_of<Contexts>() < Contexts::count,
                   other_tables<Contexts>(size));
}
template <typename Contexts>
Contexts contexts_for(const Form& form, std::size_t size) {
  if constexpr (requires { Contexts::other_tables(size); }) return Contexts(form, size);
  else return Contexts(form);
}

// How many chances the contexts foretell themselves.
template <typename Contexts>
constexpr int chances_by_kind() {
  if constexpr (requires { Contexts::chances; }) return Contexts::chances;
  else return 0;
}
template <typename Contexts>
std::uint32_t chance_by_kind(Contexts& contexts, int way, unsigned whole, int bit_number) {
  if constexpr (chances_by_kind<Contexts>() > 0)
    return way < Contexts::chances ? contexts.chance(way, whole, bit_number) : unknown_chance;
  else return unknown_chance;
}

// Bytes of a pixel of which contexts ask first whether it is equal to the one to its left, where
// those around it are; 0: they never ask.
template <typename Contexts>
constexpr std::size_t flat_pixel() {
  if constexpr (requires { Contexts::flat_pixel; }) return Contexts::flat_pixel;
  else return 0;
}

// Whether a predictor of these that has read the first text is worth a copy.
template <typename Contexts, typename Advice, typename Parts>
constexpr bool keeps_first_text = requires {
  requires Contexts::reads_first_text;
  requires Advice::inputs == 0;
  requires std::is_same_v<Parts, AllParts>;
};

// Whether the neighbourhood chooses a second set of weights.
template <typename Contexts>
constexpr bool looks_twice = requires {
  Contexts::other_rows;
};

// The number of rows of each set of weights: by the repeat that foretells the bit, by the bits of
// this byte, and by the neighbourhood.
template <typename Contexts>
constexpr auto rows_of_sets(int by_repeat) {
  if constexpr (looks_twice<Contexts>)
    return std::array{by_repeat, 256, Contexts::rows, Contexts::other_rows};
  else return std::array{by_repeat, 256, Contexts::rows};
}

}  // namespace logpx::codec::adaptive
