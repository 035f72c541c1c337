#include "libcore/codec/adaptive/block_model.hpp"
#include "libcore/codec/adaptive/x86_contexts.hpp"

namespace logpx::codec::adaptive {

BlockModel x86_model(Level level) {
  return level == Level::best ? model_by<X86Contexts<Level::best>>()
                              : model_by<X86Contexts<Level::normal>>();
}

}  // namespace logpx::codec::adaptive
