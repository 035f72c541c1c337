#include "libcore/codec/adaptive/block_model.hpp"
#include "libcore/codec/adaptive/earlier_rgb_contexts.hpp"

namespace logpx::codec::adaptive {

BlockModel rgb_model_of_2_2(Level level) {
  return level == Level::best ? model_by<EarlierRgbContexts<Level::best>>()
                              : model_by<EarlierRgbContexts<Level::normal>>();
}

}  // namespace logpx::codec::adaptive
