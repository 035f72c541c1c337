#include "libcore/codec/adaptive/block_model.hpp"
#include "libcore/codec/adaptive/record_contexts.hpp"

namespace logpx::codec::adaptive {

BlockModel record_model(Level level) {
  return level == Level::best ? model_by<RecordContexts<Level::best>>()
                              : model_by<RecordContexts<Level::normal>>();
}

}  // namespace logpx::codec::adaptive
