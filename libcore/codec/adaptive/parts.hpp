// What a predictor is made of beside its contexts. Whoever wants to know what one of the parts is
// worth puts another in its place: tests/bench/coder_parts.
#pragma once

#include "libcore/codec/adaptive/final_maps.hpp"
#include "libcore/codec/adaptive/histories.hpp"
#include "libcore/codec/adaptive/match_model.hpp"
#include "libcore/codec/adaptive/mixer.hpp"

namespace logpx::codec::adaptive {

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

}  // namespace logpx::codec::adaptive
