// The tensors of models: Model::params where they are those of one ParamSet, and those that a model
// takes from another.
#pragma once

#include "libcore/grad/params.hpp"
#include "libcore/model/model.hpp"

#include <cstddef>

namespace logpx {

inline void visit_parameters(ParamSet& params, const TensorVisitor& visit) {
  for (int i = 0; i < params.count(); ++i) {
    const ParamInfo& info = params.infos()[static_cast<std::size_t>(i)];
    visit(TensorRef::of(info.name, params.view(i).span(), info.shape), TensorRole::parameter);
  }
}

// Copies every tensor that both have, in the same shape.
void copy_tensors(Model& from, Model& to);

}  // namespace logpx
