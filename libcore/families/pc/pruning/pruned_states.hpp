// Messages in which only the largest states count: a way up that leaves out all others.
// [pc/README 9.1]
#pragma once

#include "libcore/families/pc/passes/message.hpp"
#include "libcore/model/state_pruning.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx::pc {

template <typename T>
class PrunedStates {
 public:
  explicit PrunedStates(const StatePruning& pruning) : pruning_(pruning) {}

  // To be called before the way up.
  void begin(std::span<const T> theta);
  void finish_product(const Work<T>& work, int b);
  // The message of a sum from its inputs, before it is scaled. Vectors between its layers keep as
  // many states as one of its inputs or outputs, whichever are more.
  void apply_sum(const Work<T>& work, int b, const T* input);

 private:
  [[nodiscard]] bool prunes(const PassPlan& plan, int b) const;
  [[nodiscard]] bool reads_zeros(const PassPlan& plan, int b, std::size_t layer) const;
  void keep_largest(std::int64_t kept, T* y, std::int64_t rows, std::int64_t columns);
  void apply_sparse(const Work<T>& work, int b, std::size_t layer, const T* x, T* y);
  [[nodiscard]] const T* turned(const Work<T>& work, int b, std::size_t layer);

  StatePruning pruning_;
  std::vector<T> room_;
  std::vector<int> places_;
  std::vector<T> theta_;                             // that these follow from:
  std::vector<std::vector<std::vector<T>>> turned_;  // by block and layer: its blocks, transposed
};

}  // namespace logpx::pc
