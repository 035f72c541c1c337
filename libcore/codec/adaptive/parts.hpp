// The parts of a predictor besides its contexts. tests/bench/coder_parts replaces each in turn, to
// tell what it is worth.
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
