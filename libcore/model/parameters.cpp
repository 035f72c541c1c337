#include "libcore/model/parameters.hpp"

#include <algorithm>
#include <map>

namespace logpx {

void copy_tensors(Model& from, Model& to) {
  std::map<std::string, TensorRef> known;
  from.params([&](const TensorRef& tensor, TensorRole) { known.emplace(tensor.name, tensor); });
  to.params([&](const TensorRef& tensor, TensorRole) {
    const auto found = known.find(tensor.name);
    if (found == known.end()) return;
    const TensorRef& own = found->second;
    if (own.type == tensor.type && own.shape == tensor.shape)
      std::ranges::copy(own.bytes, tensor.bytes.begin());
  });
}

}  // namespace logpx
