// The same likelihoods and slopes as passes/pass.hpp, computed with logarithms throughout. It is
// slow, keeps all messages, and checks the scaled arithmetic.   [pc/README 5]
#pragma once

#include "libcore/families/pc/passes/message.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx::pc {

template <typename T>
class LogPass {
 public:
  LogPass(const PassPlan& plan, std::span<const T> theta, const Columns& columns);

  // log p of each column, -inf where it is impossible.
  void up(std::span<double> log_p);
  // After up: d log p / d theta, and statistics of leaves, added to the slopes.
  void down(std::span<T> slopes);

 private:
  // One block at one step: log values and flows (d log p / d log value), [size, columns], and the
  // inputs of a sum's layers.
  struct Node {
    std::vector<T> y, flow;
    std::vector<std::vector<T>> inputs;
  };
  [[nodiscard]] Node& node(int b, std::int64_t step) {
    return nodes_[static_cast<std::size_t>(step)][static_cast<std::size_t>(b)];
  }
  void message(int b, std::int64_t step);
  void leaf(int b, std::int64_t step);
  void joint(int b, std::int64_t step);
  void joint_flow(int b, std::int64_t step, std::span<T> slopes);
  template <typename Use>
  void for_nodes(int b, std::int64_t step, const Use& use);
  void indicator(int b, std::int64_t step);
  void sum(int b, std::int64_t step);
  void mixing(int b, std::int64_t step);
  void product(int b, std::int64_t step);
  void flow_down(int b, std::int64_t step, std::span<T> slopes);
  void leaf_flow(int b, std::int64_t step, std::span<T> slopes);
  void sum_flow(int b, std::int64_t step, std::span<T> slopes);
  void mixing_flow(int b, std::int64_t step, std::span<T> slopes);
  void product_flow(int b, std::int64_t step);
  // Calls visit(node of child, its row, row of the block) for all that a product joins.
  template <typename Visit>
  void visit_factors(int b, std::int64_t step, Visit visit);
  // Whether messages from later steps are 1 in a column, because its row has ended.
  [[nodiscard]] bool ended(int b, std::int64_t step, std::int64_t column) const;

  const PassPlan& plan_;
  std::span<const T> theta_;
  const Columns& columns_;
  std::int64_t count_;
  std::vector<std::vector<Node>> nodes_;  // by step and block
  std::vector<T> workspace_;
};

}  // namespace logpx::pc
