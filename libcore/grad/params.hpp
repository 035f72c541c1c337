// The parameters of a model: named tensors in one contiguous block of floats, in order of creation.
// Gradients, optimiser slots and averages are blocks of the same layout, so that optimisers,
// clipping, sums over shards and checkpoints are loops over flat arrays.   [math/README 2]
#pragma once

#include "libcore/math/tensor.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace logpx {

struct ParamInfo {
  std::string name;  // a path: "encoder/hidden/w"
  Shape shape;
  std::int64_t offset = 0;  // of the first element in every block; multiples of 16
};

// Part of every block of one layout.
struct BlockRange {
  std::int64_t begin = 0, end = 0;
  friend bool operator==(const BlockRange&, const BlockRange&) = default;
};

// Whether a path is `prefix` or lies below it: "theta/w" is under "theta", "theta2/w" is not.
[[nodiscard]] bool lies_under(std::string_view path, std::string_view prefix);
// The same for several prefixes; every path is under an empty list.
[[nodiscard]] bool lies_under_any(std::string_view path, const std::vector<std::string>& prefixes);

class ParamSet {
 public:
  // Returns the running number, which is also `sub` of the tensor's init stream. A name given twice
  // is a programmer's mistake. All tensors are added before the block is used.
  int add(std::string name, Shape shape);

  [[nodiscard]] const std::vector<ParamInfo>& infos() const { return infos_; }
  [[nodiscard]] int count() const { return static_cast<int>(infos_.size()); }
  [[nodiscard]] std::int64_t block_size() const { return block_size_; }  // with padding
  [[nodiscard]] std::int64_t elements() const;                           // without
  [[nodiscard]] int find(std::string_view name) const;                   // -1 when absent
  // The tensors under any of these paths, or all of them when there are no paths.
  [[nodiscard]] std::vector<int> under(const std::vector<std::string>& paths) const;
  // Where tensors, in order, lie in a block: neighbours joined, with the padding after each.
  [[nodiscard]] std::vector<BlockRange> ranges(std::span<const int> tensors) const;

  // The values; a block may stand for any other of the same layout (a gradient, an average).
  [[nodiscard]] std::span<float> block();
  [[nodiscard]] std::span<const float> block() const;
  [[nodiscard]] View<float> view(int index) { return view(index, block()); }
  [[nodiscard]] View<const float> view(int index) const { return view(index, block()); }
  template <typename T>
  [[nodiscard]] View<T> view(int index, std::span<T> block) const {
    const ParamInfo& info = infos_[static_cast<std::size_t>(index)];
    return {block.data() + info.offset, info.shape};
  }

 private:
  std::vector<ParamInfo> infos_;
  std::int64_t block_size_ = 0;
  mutable Tensor<float> values_;
};

}  // namespace logpx
