#include "libcore/codec/adaptive/block_model.hpp"
#include "libcore/codec/adaptive/text_contexts.hpp"

namespace logpx::codec::adaptive {

BlockModel text_model(Level level) {
  return level == Level::best ? model_by<TextContexts<Level::best>>()
                              : model_by<TextContexts<Level::normal>>();
}

}  // namespace logpx::codec::adaptive
