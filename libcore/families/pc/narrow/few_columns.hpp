// Computes once what columns have in common. A leaf gives the same message to all columns in which
// its variable has one value, and so do sums of leaves: the plan calls them narrow. Bits, or
// pictures with a black background, have few values in a batch of a hundred columns.
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
  // Whether the pass has a way down.
  enum class Ways { up, both };

  void begin(const Work<T>& work, Ways ways);
  // Finds the values that occur in the columns of a step.
  void find(const Work<T>& work, const Columns& columns, std::int64_t step);

  // For a narrow block: its work, and for a leaf the value in each of its columns.
  [[nodiscard]] Work<T> work_of(const Work<T>& work, int b);
  [[nodiscard]] const std::int32_t* values(const PassPlan& plan, int b) const;
  // Spread its message over the whole batch, and sum the slopes of the batch into its own.
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
