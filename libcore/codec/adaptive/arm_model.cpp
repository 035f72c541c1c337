#include "libcore/codec/adaptive/block_model.hpp"
#include "libcore/codec/adaptive/arm_contexts.hpp"

namespace logpx::codec::adaptive {

BlockModel arm_model(Level level) {
  return level == Level::best ? model_by<ArmContexts<Level::best>>()
                              : model_by<ArmContexts<Level::normal>>();
}

}  // namespace logpx::codec::adaptive
