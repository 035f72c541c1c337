#include "libcore/train/snapshot.hpp"

#include <algorithm>

namespace logpx {

void Snapshot::take(const std::vector<TensorRef>& tensors) {
  tensors_ = tensors;
  copies_.resize(tensors.size());
  for (std::size_t i = 0; i < tensors.size(); ++i)
    copies_[i].assign(tensors[i].bytes.begin(), tensors[i].bytes.end());
}

void Snapshot::put_back() const {
  for (std::size_t i = 0; i < tensors_.size(); ++i)
    std::ranges::copy(copies_[i], tensors_[i].bytes.begin());
}

std::vector<TensorRef> Snapshot::refs(const std::string& prefix) {
  std::vector<TensorRef> refs = tensors_;
  for (std::size_t i = 0; i < refs.size(); ++i) {
    refs[i].name = prefix + refs[i].name;
    refs[i].bytes = copies_[i];
  }
  return refs;
}

}  // namespace logpx
