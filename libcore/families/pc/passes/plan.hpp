// A circuit ready to be computed: the order of its blocks, where their parameters lie, and which of
// them belong to every step of a chain.
#pragma once

#include "libcore/families/pc/circuit/circuit.hpp"
#include "libcore/families/pc/leaves/joint_gaussian.hpp"
#include "libcore/families/pc/leaves/leaf.hpp"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace logpx::pc {

class PassPlan {
 public:
  // Needs a circuit without faults; adds its tensors.
  PassPlan(Circuit circuit, ParamSet& params);

  [[nodiscard]] const Circuit& circuit() const { return circuit_; }
  [[nodiscard]] const Block& block(int b) const { return circuit_.blocks[at_(b)]; }
  // Children first: blocks of each step, and those that see the first step only. A circuit that is
  // not a chain has only a head.
  [[nodiscard]] const std::vector<int>& steps() const { return steps_; }
  [[nodiscard]] const std::vector<int>& head() const { return head_; }
  [[nodiscard]] int carry() const { return carry_; }
  // The only sum that reads what later steps hand on, if it reads nothing else; else -1.
  [[nodiscard]] int later_sum() const { return later_sum_; }
  // Whether its message is 1 where a row has no later step.
  [[nodiscard]] bool is_later(int b) const { return later_[at_(b)]; }
  // Whether it is a table of one variable, or sums of such: its message depends on that variable
  // only (narrow/few_columns.hpp).
  [[nodiscard]] bool narrow(int b) const { return narrow_[at_(b)] >= 0; }
  [[nodiscard]] int narrow_variable(int b) const { return narrow_[at_(b)]; }
  // Whether a block that is not narrow reads this narrow one.
  [[nodiscard]] bool spreads(int b) const { return spreads_[at_(b)]; }
  [[nodiscard]] const std::vector<int>& narrow_leaves() const { return narrow_leaves_; }
  [[nodiscard]] const std::vector<int>& narrow_variables() const { return narrow_variables_; }
  // Whether its message is scaled: products, and sums that other sums read.
  [[nodiscard]] bool rescales(int b) const { return rescales_[at_(b)]; }
  [[nodiscard]] const std::vector<TensorPlace>& tensors(int b) const { return tensors_[at_(b)]; }
  [[nodiscard]] const Monarch& form(int b) const { return *forms_[at_(b)]; }
  // Null except for leaves of one variable that are not tables.
  [[nodiscard]] const Leaf* leaf(int b) const { return leaves_[at_(b)].get(); }
  // Null except for leaves of several variables.
  [[nodiscard]] const JointForm* joint(int b) const {
    return joints_[at_(b)] ? &*joints_[at_(b)] : nullptr;
  }

  // Parameters of circuit block b within all parameters.
  template <typename T>
  [[nodiscard]] T* values(int b, std::size_t tensor, std::span<T> block) const {
    return block.data() + offsets_[at_(b)][tensor];
  }
  // Where a tensor of a circuit block lies there.
  [[nodiscard]] BlockRange range(int b, std::size_t tensor) const {
    const std::int64_t begin = offsets_[at_(b)][tensor];
    return {begin, begin + tensors_[at_(b)][tensor].shape.elements()};
  }
  // Where the frequencies of styles lie, if rows have styles.
  [[nodiscard]] BlockRange style_prior() const { return style_prior_; }
  [[nodiscard]] BlockRange style_values() const { return style_values_; }
  // Scratch numbers that the largest sum needs for this many columns.
  [[nodiscard]] std::int64_t room(std::int64_t columns) const;
  // Nodes of the largest product, or inputs of the largest sum.
  [[nodiscard]] std::int64_t widest() const { return widest_; }
  // Numbers per column in the messages of all blocks, with what counting keeps of them.
  [[nodiscard]] std::int64_t message_rows() const { return message_rows_; }
  // Multiply-adds of one step; of the whole circuit if it is not a chain.
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
  std::vector<int> narrow_, narrow_leaves_, narrow_variables_;  // by block: its variable, or -1
  std::vector<std::vector<TensorPlace>> tensors_;
  std::vector<std::vector<std::int64_t>> offsets_;
  std::vector<std::optional<Monarch>> forms_;
  std::vector<std::unique_ptr<Leaf>> leaves_;
  std::vector<std::optional<JointForm>> joints_;
  BlockRange style_prior_, style_values_;
  std::int64_t widest_ = 1, message_rows_ = 0;
};

}  // namespace logpx::pc
