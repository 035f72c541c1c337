#include "libcore/codec/adaptive/block_model.hpp"
#include "libcore/codec/adaptive/grey_contexts.hpp"

namespace logpx::codec::adaptive {

BlockModel grey_model(Level level) {
  return level == Level::best ? model_by<GreyContexts<Level::best>>()
                              : model_by<GreyContexts<Level::normal>>();
}

}  // namespace logpx::codec::adaptive
