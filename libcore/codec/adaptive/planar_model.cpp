#include "libcore/codec/adaptive/block_model.hpp"
#include "libcore/codec/adaptive/planar_contexts.hpp"

namespace logpx::codec::adaptive {

BlockModel planar_model(Level level) {
  return level == Level::best ? model_by<PlanarContexts<Level::best>>()
                              : model_by<PlanarContexts<Level::normal>>();
}

}  // namespace logpx::codec::adaptive
