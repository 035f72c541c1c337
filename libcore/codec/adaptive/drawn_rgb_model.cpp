#include "libcore/codec/adaptive/block_model.hpp"
#include "libcore/codec/adaptive/drawing_contexts.hpp"

namespace logpx::codec::adaptive {

BlockModel drawn_rgb_model(Level level) {
  return level == Level::best ? model_by<DrawingContexts<Level::best, 3>>()
                              : model_by<DrawingContexts<Level::normal, 3>>();
}

}  // namespace logpx::codec::adaptive
