// The order in which the variables of a circuit are coded, and what is computed between them: a
// walk through its blocks, depth first. Going down, a block gets its belief: what all variables
// coded before say about it; later ones count as 1. Once its own variables are coded, its message
// informs the blocks beside it. So each sum is used once down and once up, whatever the number of
// variables.   [pc/README 10.1]
//
//   const FilterPlan plan(passes);    // a data error for circuits that are no trees
//   const std::vector<int>& order = plan.order();   // of a chain's step, or of the whole
#pragma once

#include "libcore/families/pc/passes/plan.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace logpx::pc {

// Leaves of one variable that code its symbol together: a leaf, an indicator, or those that a sum
// mixes. Their nodes lie one behind the other.
[[nodiscard]] std::vector<int> leaves_of(const Circuit& circuit, int block);

// Vectors [size, columns] lie in an arena; `from`, `with` and `to` are rows of it.
struct FilterAction {
  enum class Kind {
    code,     // the symbol of the leaves of `block`, whose belief is `from`
    observe,  // to = from times what leaf `block` gives that symbol, scaled
    tell,     // to = what the leaves of `block` give that symbol
    down,     // belief of sum `block` to that of its child
    up,       // message of the child of sum `block` to its own
    meet,     // to = from times with, `size` rows, scaled
    fold,     // to[i, j] = sum over a of from[i, a, j] with[a], scaled; j < inner
    join,     // to[i, a] = from[i] with[a], scaled
    hand_on   // the belief of the block carried at the next step, to the first rows
  };
  Kind kind = Kind::code;
  int block = 0;
  std::int64_t from = 0, with = 0, to = 0, size = 0;
  // For fold and join: how many a there are. Where `with` is -1, all with[a] are 1.
  std::int64_t states = 1, inner = 1;
};

class FilterPlan {
 public:
  explicit FilterPlan(const PassPlan& passes);
  // A plan for a tree in a given order, for variables that are read as they lie. Messages go all
  // the way from one variable to the next; returns nothing where that takes too many actions, and
  // for Kronecker products. The circuit is one that the constructor accepts.   [pc/README 10.3]
  [[nodiscard]] static std::optional<FilterPlan> of_order(const PassPlan& passes,
                                                          std::span<const int> order);

  // begin() runs once, from a belief of ones in the root, and step() for every step of a chain;
  // other circuits have one step.
  [[nodiscard]] const std::vector<FilterAction>& begin() const { return begin_; }
  [[nodiscard]] const std::vector<FilterAction>& step() const { return step_; }
  [[nodiscard]] const std::vector<int>& order() const { return order_; }
  [[nodiscard]] std::int64_t rows() const { return rows_; }  // rows of the arena

 private:
  FilterPlan(const PassPlan& passes, std::vector<FilterAction> step, std::span<const int> order,
             std::int64_t rows)
      : passes_(passes), step_(std::move(step)), order_(order.begin(), order.end()), rows_(rows) {}

  struct Place {
    std::int64_t belief = 0;
    std::int64_t message = -1;  // -1: not wanted
    std::int64_t free = 0;      // first free row
  };
  void visit(int b, const Place& place);
  void visit_leaves(int b, const Place& place);
  void visit_sum(int b, const Place& place);
  void visit_product(int b, const Place& place);
  void visit_pairs(int b, const Place& place);
  void add(FilterAction action);
  [[nodiscard]] std::int64_t size(int b) const { return passes_.block(b).size; }
  // Leaves first, then by the first variable to be coded, messages of later steps last; children of
  // a Kronecker product as they are.
  [[nodiscard]] std::vector<int> in_order(const Block& block) const;
  void find_first_variables();

  const PassPlan& passes_;
  std::vector<std::int64_t> first_;  // by block
  std::vector<bool> visited_;
  std::vector<FilterAction>* actions_ = nullptr;
  std::vector<FilterAction> begin_ = {}, step_ = {};
  std::vector<int> order_;
  std::int64_t rows_ = 0;
};

}  // namespace logpx::pc
