// A ParamSet with a root to put layers at.
#pragma once

#include "libcore/nn/site.hpp"

namespace logpx {

struct LayerModel {
  ParamSet params;
  Initialisers initialisers;
  Site site{params, initialisers};
  void start() { initialisers.run(params, Rng(1)); }
};

}  // namespace logpx
