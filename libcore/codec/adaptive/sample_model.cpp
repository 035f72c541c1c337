#include "libcore/codec/adaptive/block_model.hpp"
#include "libcore/codec/adaptive/sample_contexts.hpp"

namespace logpx::codec::adaptive {

BlockModel sample_model(Level level) {
  return level == Level::best ? model_by<SampleContexts<Level::best>>()
                              : model_by<SampleContexts<Level::normal>>();
}

}  // namespace logpx::codec::adaptive
