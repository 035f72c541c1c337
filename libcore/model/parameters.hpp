// Model::params for a model whose tensors are those of one ParamSet.
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

}  // namespace logpx
