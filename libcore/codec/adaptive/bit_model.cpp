#include "libcore/codec/adaptive/block_model.hpp"
#include "libcore/codec/adaptive/bit_contexts.hpp"

namespace logpx::codec::adaptive {

BlockModel bit_model(Level level) {
  return level == Level::best ? model_by<BitContexts<Level::best>>()
                              : model_by<BitContexts<Level::normal>>();
}

}  // namespace logpx::codec::adaptive
