// A fixture whose shapes follow from a stored tree, and which reads missing values: each value of a
// row depends on a hidden state of its own, each state on the one above it in the tree.
//   log p(x) = sum over states of p(z_root) prod p(z_v | z_parent(v)) p(x_v | z_v), exactly
#pragma once

#include "libcore/families/registry.hpp"
#include "libcore/math/tensor.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace logpx::testing {

struct TreeShape {
  std::vector<std::int32_t> parents;  // -1: a root
  std::vector<std::int32_t> states;   // of each node
};
// A data error that names the tensor, for what is no forest or has too many nodes or states.
void check_tree(const TreeShape& tree);

class TreeModel final : public Model {
 public:
  TreeModel(const TreeShape& tree, std::int64_t levels);
  // Parameters drawn from a seed, and tables of them.
  void initialise(Rng rng);

  [[nodiscard]] const ModelInfo& info() const override { return info_; }
  void describe(Fields&) override {}
  void params(const TensorVisitor& visit) override;
  void filled() override;
  [[nodiscard]] Scores score(const Examples& batch) const;
  void sample(Rows& out, std::int64_t first, Rng rng) const;

 private:
  // [rows, columns], each row sums to 1.
  struct Table {
    Tensor<float> stored;
    std::vector<double> p = {};
  };
  [[nodiscard]] std::size_t states(std::size_t node) const {
    return static_cast<std::size_t>(states_[static_cast<std::int64_t>(node)]);
  }
  [[nodiscard]] std::vector<double> message(std::size_t node, std::span<const double> below) const;
  [[nodiscard]] double log_p(std::span<const std::int16_t> x) const;

  ModelInfo info_;
  Tensor<std::int32_t> parents_, states_;
  std::vector<std::size_t> order_;           // parents before their children
  std::vector<Table> transitions_, leaves_;  // [states above or 1, states], [states, levels]
};

void register_tree();  // as family "tree-fixture"; once is enough

// Rows of small integers, -1 where a value is missing.
[[nodiscard]] DatasetInfo tree_data(std::int64_t dims, std::int64_t levels);

}  // namespace logpx::testing
