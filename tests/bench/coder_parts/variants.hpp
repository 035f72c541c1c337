// The adaptive coder of a kind of data without each of its parts.
#pragma once

#include "libcore/codec/adaptive/block_model.hpp"
#include "tests/bench/coder_parts/left_out.hpp"

#include <string>
#include <vector>

namespace logpx::codec::adaptive {

using Encode = decltype(BlockModel::encode);

struct Variant {
  std::string without;
  Encode encode;
};

// As model_by chooses on the processors whose speed is measured.
template <typename Contexts, typename Parts = AllParts>
Encode encoder() {
#if defined(__x86_64__)
  if (active_isa() != Isa::baseline) return Avx2Model<Contexts, Parts>::encode;
#endif
  return PlainModel<Contexts, Parts>::encode;
}

struct WithoutRepeats : AllParts {
  using Repeats = NoRepeats;
};
struct WithoutMeanings : AllParts {
  template <int count, int first_rare>
  using ContextHistories = FixedHistories<count, first_rare>;
};
struct WithoutChecks : AllParts {
  template <int count, int first_rare>
  using ContextHistories = Histories<count, first_rare, UncheckedTable>;
};
struct WithoutRuns : AllParts {
  template <int count, int>
  using ContextHistories = Histories<count, count>;
};
template <int... sets_left_out>
struct WithoutSets : AllParts {
  using Without = SetsWithout<sets_left_out...>;
  template <int inputs, int sets, typename Lanes>
  using Weights = typename Without::template Weights<inputs, sets, Lanes>;
  template <int sets>
  using LastWeights = typename Without::template LastWeights<sets>;
};
struct WithoutLastWeights : AllParts {
  template <int sets>
  using LastWeights = MeanOfSets<sets>;
};
struct WithoutSecondInputs : AllParts {
  template <int inputs, int sets, typename Lanes>
  using Weights = MixerSets<inputs, sets, LogitLanes<Lanes>>;
};
struct WithoutCorrections : AllParts {
  using Corrections = NoCorrections;
};

// Without what every kind has.
template <typename Contexts>
std::vector<Variant> variants_of() {
  return {{"repeats", encoder<Contexts, WithoutRepeats>()},
          {"learned histories", encoder<Contexts, WithoutMeanings>()},
          {"check bytes", encoder<Contexts, WithoutChecks>()},
          {"weights by repeat", encoder<Contexts, WithoutSets<0>>()},
          {"weights by bits", encoder<Contexts, WithoutSets<1>>()},
          {"weights by place", encoder<Contexts, WithoutSets<2>>()},
          {"two of three sets", encoder<Contexts, WithoutSets<0, 2>>()},
          {"last weights", encoder<Contexts, WithoutLastWeights>()},
          {"second inputs", encoder<Contexts, WithoutSecondInputs>()},
          {"final maps", encoder<Contexts, WithoutCorrections>()}};
}

// Each is made in a source of its own, with what its contexts can do without.
[[nodiscard]] std::vector<Variant> text_variants();
[[nodiscard]] std::vector<Variant> record_variants();
[[nodiscard]] std::vector<Variant> grey_variants();
[[nodiscard]] std::vector<Variant> rgb_variants();
[[nodiscard]] std::vector<Variant> planar_variants();
[[nodiscard]] std::vector<Variant> bit_variants();
[[nodiscard]] std::vector<Variant> molecule_variants();
[[nodiscard]] std::vector<Variant> sample_variants();
[[nodiscard]] std::vector<Variant> x86_variants();
[[nodiscard]] std::vector<Variant> dna_variants();
[[nodiscard]] std::vector<Variant> arm_variants();
[[nodiscard]] std::vector<Variant> rgba_variants();
[[nodiscard]] std::vector<Variant> drawn_rgb_variants();

}  // namespace logpx::codec::adaptive
