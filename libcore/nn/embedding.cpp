#include "libcore/nn/embedding.hpp"

#include "libcore/grad/ops_index.hpp"

namespace logpx {

Embedding::Embedding(const Site& site, std::int64_t count, std::int64_t width, Init rows)
    : step_(site.step()), w_(site.tensor("w", {count, width}, rows, {count, width})) {}

Var Embedding::operator()(const ParamSet& params, Var index) const {
  const LayerScope scope(index, step_);
  return embedding(index.graph().parameter(params, w_), index);
}

}  // namespace logpx
