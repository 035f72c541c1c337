#include "libcore/codec/adaptive/block_model.hpp"
#include "libcore/codec/adaptive/dna_contexts.hpp"

namespace logpx::codec::adaptive {

BlockModel dna_model(Level level) {
  return level == Level::best ? model_by<DnaContexts<Level::best>>()
                              : model_by<DnaContexts<Level::normal>>();
}

}  // namespace logpx::codec::adaptive
