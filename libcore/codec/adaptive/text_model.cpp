#include "libcore/codec/adaptive/block_model.hpp"
#include "libcore/codec/adaptive/text_contexts.hpp"

namespace logpx::codec::adaptive {

BlockModel text_model(Level level) {
  return level == Level::best ? model_by<TextContexts<Level::best>>()
                              : model_by<TextContexts<Level::normal>>();
}
BlockModel earlier_text_model(Level level) {
  return level == Level::best ? model_by<TextContexts<Level::best, Nesting::unseen>>()
                              : model_by<TextContexts<Level::normal, Nesting::unseen>>();
}

}  // namespace logpx::codec::adaptive
