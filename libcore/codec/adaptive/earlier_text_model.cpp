#include "libcore/codec/adaptive/block_model.hpp"
#include "libcore/codec/adaptive/earlier_text_contexts.hpp"

namespace logpx::codec::adaptive {
namespace {

template <Nesting nesting>
BlockModel model_with(Level level) {
  return level == Level::best ? model_by<EarlierTextContexts<Level::best, nesting>>()
                              : model_by<EarlierTextContexts<Level::normal, nesting>>();
}

}  // namespace

BlockModel text_model_of_2_1(Level level) { return model_with<Nesting::unseen>(level); }
BlockModel text_model_of_2_3(Level level) { return model_with<Nesting::seen>(level); }

}  // namespace logpx::codec::adaptive
