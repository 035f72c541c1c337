#include "libcore/codec/adaptive/block_model.hpp"
#include "libcore/codec/adaptive/rgb_contexts.hpp"

namespace logpx::codec::adaptive {

BlockModel rgb_model(Level level) {
  return level == Level::best ? model_by<RgbContexts<Level::best>>()
                              : model_by<RgbContexts<Level::normal>>();
}

}  // namespace logpx::codec::adaptive
