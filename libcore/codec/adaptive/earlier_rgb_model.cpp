#include "libcore/codec/adaptive/block_model.hpp"
#include "libcore/codec/adaptive/earlier_rgb_contexts.hpp"

namespace logpx::codec::adaptive {

BlockModel earlier_rgb_model(Level level) {
  return level == Level::best ? model_by<EarlierRgbContexts<Level::best>>()
                              : model_by<EarlierRgbContexts<Level::normal>>();
}

}  // namespace logpx::codec::adaptive
