#include "libcore/codec/adaptive/block_model.hpp"
#include "libcore/codec/adaptive/molecule_contexts.hpp"

namespace logpx::codec::adaptive {

BlockModel molecule_model(Level level) {
  return level == Level::best ? model_by<MoleculeContexts<Level::best>>()
                              : model_by<MoleculeContexts<Level::normal>>();
}

}  // namespace logpx::codec::adaptive
