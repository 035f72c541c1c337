#include "libcore/codec/adaptive/block_model.hpp"
#include "libcore/codec/adaptive/earlier_grey_contexts.hpp"

namespace logpx::codec::adaptive {

BlockModel grey_model_of_2_5(Level level) {
  return level == Level::best ? model_by<EarlierGreyContexts<Level::best>>()
                              : model_by<EarlierGreyContexts<Level::normal>>();
}

}  // namespace logpx::codec::adaptive
