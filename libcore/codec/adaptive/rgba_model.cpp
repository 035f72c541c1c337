#include "libcore/codec/adaptive/block_model.hpp"
#include "libcore/codec/adaptive/drawing_contexts.hpp"

namespace logpx::codec::adaptive {

BlockModel rgba_model(Level level) {
  return level == Level::best ? model_by<DrawingContexts<Level::best, 4>>()
                              : model_by<DrawingContexts<Level::normal, 4>>();
}

}  // namespace logpx::codec::adaptive
