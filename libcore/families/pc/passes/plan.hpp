// A circuit made ready to be computed: the order of its blocks, where their parameters lie, and
// which of them belong to every step of a chain.
#pragma once

#include "libcore/families/pc/leaves/leaf.hpp"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace logpx::pc {

class PassPlan {
 public:
  // Of a circuit without faults; adds its tensors.
  PassPlan(Circuit circuit, ParamSet& params);

  [[nodiscard]] const Circuit& circuit() const { return circuit_; }
  [[nodiscard]] const Block& block(int b) const { return circuit_.blocks[at_(b)]; }
  // Children first: those of each step, and those that see the first step alone. What is no chain
  // has a head alone.
  [[nodiscard]] const std::vector<int>& steps() const { return steps_; }
  [[nodiscard]] const std::vector<int>& head() const { return head_; }
  [[nodiscard]] int carry() const { return carry_; }
  // The sum that alone reads what later steps hand on, and nothing else; -1 where there is none.
  [[nodiscard]] int later_sum() const { return later_sum_; }
  // Its message is 1 where a row has no later step.
  [[nodiscard]] bool is_later(int b) const { return later_[at_(b)]; }
  // A table of one variable, or sums of such: its message depends on the value of that variable
  // alone (narrow/few_columns.hpp).
  [[nodiscard]] bool narrow(int b) const { return narrow_[at_(b)] >= 0; }
  [[nodiscard]] int narrow_variable(int b) const { return narrow_[at_(b)]; }
  // Of a narrow block: one that is not narrow reads it.
  [[nodiscard]] bool spreads(int b) const { return spreads_[at_(b)]; }
  [[nodiscard]] const std::vector<int>& narrow_leaves() const { return narrow_leaves_; }
  [[nodiscard]] const std::vector<int>& narrow_variables() const { return narrow_variables_; }
  // Its message is scaled; products do, and sums that other sums stand on.
  [[nodiscard]] bool rescales(int b) const { return rescales_[at_(b)]; }
  [[nodiscard]] const std::vector<TensorPlace>& tensors(int b) const { return tensors_[at_(b)]; }
  [[nodiscard]] const Monarch& form(int b) const { return *forms_[at_(b)]; }
  // Null but for leaves that are no tables.
  [[nodiscard]] const Leaf* leaf(int b) const { return leaves_[at_(b)].get(); }

  // Parameters of a block in a block of this layout.
  template <typename T>
  [[nodiscard]] T* values(int b, std::size_t tensor, std::span<T> block) const {
    return block.data() + offsets_[at_(b)][tensor];
  }
  // Where a tensor of a block lies in such a block.
  [[nodiscard]] BlockRange range(int b, std::size_t tensor) const {
    const std::int64_t begin = offsets_[at_(b)][tensor];
    return {begin, begin + tensors_[at_(b)][tensor].shape.elements()};
  }
  // Where the frequencies of styles lie; of a circuit whose rows have styles.
  [[nodiscard]] BlockRange style_prior() const { return style_prior_; }
  [[nodiscard]] BlockRange style_values() const { return style_values_; }
  // Scratch numbers that one sum needs for each column, at most.
  [[nodiscard]] std::int64_t room(std::int64_t columns) const;
  // Nodes of the largest product, or inputs of the largest sum.
  [[nodiscard]] std::int64_t widest() const { return widest_; }
  // Numbers of the messages of all blocks, for each column: with what a count keeps of them.
  [[nodiscard]] std::int64_t message_rows() const { return message_rows_; }
  // Multiply-adds of one step, or of the whole where there are no steps.
  [[nodiscard]] std::int64_t step_edges() const;

 private:
  static std::size_t at_(int index) { return static_cast<std::size_t>(index); }
  void find_later();
  void find_narrow();
  void count_rows();

  Circuit circuit_;
  std::vector<int> steps_, head_;
  int carry_ = -1, later_sum_ = -1;
  std::vector<bool> later_, rescales_, spreads_;
  std::vector<int> narrow_, narrow_leaves_, narrow_variables_;  // by block the variable, or -1
  std::vector<std::vector<TensorPlace>> tensors_;
  std::vector<std::vector<std::int64_t>> offsets_;
  std::vector<std::optional<Monarch>> forms_;
  std::vector<std::unique_ptr<Leaf>> leaves_;
  BlockRange style_prior_, style_values_;
  std::int64_t widest_ = 1, message_rows_ = 0;
};

}  // namespace logpx::pc
