// What columns have in common, computed once. A leaf says the same of all columns in which its
// variable has one value, and so do sums of leaves: the plan calls them narrow. Pictures whose
// ground is black, or bits, have few values where a batch has a hundred columns.
//
// Narrow blocks have messages of their own, with a column for each value that occurs (and each
// style, where a styled leaf tells them apart). They are spread over the columns of the batch where
// a product reads them, and slopes are summed on the way back.
#pragma once

#include "libcore/families/pc/passes/message.hpp"

#include <cstdint>
#include <vector>

namespace logpx::pc {

template <typename T>
class FewColumns {
 public:
  // Of a pass with a way down, or without one.
  enum class Ways { up, both };

  void begin(const Work<T>& work, Ways ways);
  // Which values occur in the columns of a step.
  void find(const Work<T>& work, const Columns& columns, std::int64_t step);

  // For a narrow block: its work and, of a leaf, the value in each of its columns.
  [[nodiscard]] Work<T> work_of(const Work<T>& work, int b);
  [[nodiscard]] const std::int32_t* values(const PassPlan& plan, int b) const;
  // From its message to that of the whole batch, and from the slope there to its own.
  void spread(const Work<T>& work, int b);
  void gather_slopes(const Work<T>& work, int b);

 private:
  struct Distinct {                        // columns of one variable
    std::vector<std::int32_t> place = {};  // of each column of the batch
    std::vector<std::int32_t> x = {}, styles = {};
  };
  [[nodiscard]] std::vector<std::uint8_t> blank_values(const Work<T>& work, int leaf) const;
  void tell_apart(const Work<T>& work, int variable, const std::int32_t* x);

  bool keeps_ = false;
  std::vector<Distinct> distinct_;                // by variable
  std::vector<std::vector<std::uint8_t>> blank_;  // by variable: values that no styled leaf gives
  std::vector<std::int32_t> seen_;
  std::vector<Message<T>> messages_;  // by block
};

}  // namespace logpx::pc
