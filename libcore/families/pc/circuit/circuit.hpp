// What a probabilistic circuit is made of: blocks, which are vectors of nodes of one kind over the
// same variables. Leaves are distributions of one variable, or gaussians of several together; sums
// mix, products join blocks without a common variable.   [pc/README 2.1]
//
//   Circuit circuit;
//   circuit.variables = {{"x0", 3}};
//   circuit.blocks = {Block::leaf("l", 2, 0), Block::dense_sum("root", 1, {0}, 2)};
//   circuit.root = 1;
//
// A chain repeats its blocks for every step of a sequence: its `carry` block holds the message of
// the block `carried` at the next step, so that any length needs the same blocks.   [pc/README 2.4]
//   HMM:  carry -> sum M -> product with the leaf of the step (carried),  root: sum over step 1
//
// Each row may have a style, observed or not, on which only the parameters of `styled` leaves
// depend:   p(x) = sum over styles of prior_c p(x | c)   [pc/README 4.3]
#pragma once

#include "libcore/families/pc/leaves/leaf.hpp"
#include "libcore/grad/params.hpp"
#include "libcore/math/monarch_form.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace logpx::pc {

// indicator: a leaf without parameters, 1 where its variable has one value
// joint: a leaf of several real variables
enum class BlockKind { leaf, sum, mixing, product, carry, indicator, joint };
constexpr std::int64_t most_joint_variables = 1024;
enum class ProductKind { hadamard, kronecker };

struct Variable {
  std::string name;
  std::int64_t categories = 0;  // 0: real numbers
  bool whole = false;           // real numbers that are whole, and have masses
  // The last category is all that is new: values that training rows lack.
  bool open = false;
  // What the categories of a column of numbers are there, ascending; empty: 0, 1, ..
  std::vector<double> values = {};

  [[nodiscard]] std::int64_t known() const { return categories - (open ? 1 : 0); }
};

struct Block {
  std::string id;
  BlockKind kind = BlockKind::leaf;
  std::int64_t size = 0;            // nodes
  std::vector<int> children = {};   // numbers of blocks, in any order
  int variable = -1;                // of a leaf or an indicator
  std::vector<int> variables = {};  // of a joint leaf, ascending
  std::int64_t value = 0;           // of an indicator
  LeafKind leaf_kind = LeafKind::table;
  bool styled = false;  // a table with parameters for each style
  // Its last node is no cluster: a gaussian three times as broad as the data, which stays so.
  bool broad = false;
  ProductKind product = ProductKind::hadamard;
  // A sum computes out = M in, where `in` is its children one behind the other.
  MonarchFactors factors = {};
  int tied_to = -1;  // the block whose parameters it has

  [[nodiscard]] static Block leaf(std::string id, std::int64_t size, int variable,
                                  LeafKind kind = LeafKind::table);
  [[nodiscard]] static Block joint(std::string id, std::int64_t size, std::vector<int> variables);
  [[nodiscard]] static Block indicator(std::string id, int variable, std::int64_t value);
  [[nodiscard]] static Block sum(std::string id, MonarchFactors factors, std::vector<int> children);
  [[nodiscard]] static Block dense_sum(std::string id, std::int64_t size, std::vector<int> children,
                                       std::int64_t inputs);
  // Mixes blocks of one size, node by node.
  [[nodiscard]] static Block mixing(std::string id, std::int64_t size, std::vector<int> children);
  // Kronecker: node numbers are mixed radix, the first child's slowest.
  [[nodiscard]] static Block hadamard(std::string id, std::int64_t size, std::vector<int> children);
  [[nodiscard]] static Block kronecker(std::string id, std::int64_t size,
                                       std::vector<int> children);
  [[nodiscard]] static Block carry(std::string id, std::int64_t size);

  // A sum with one layer: its weights are one matrix.
  [[nodiscard]] bool is_dense() const { return factors.m.size() == 1; }
};

struct Circuit {
  std::vector<Variable> variables;  // a chain has those of one step
  std::vector<Block> blocks;
  int root = -1;
  int carried = -1;         // the carried block of a chain, or -1
  std::int64_t styles = 1;  // of rows
  // A product that is not normalised has ln of what it sums to over all rows of full length. The
  // rows of its sums need not sum to 1.   [pc/README 4.6]
  std::optional<double> ln_z = {};

  [[nodiscard]] bool chained() const { return carried >= 0; }
  [[nodiscard]] int carry() const;  // the block of that kind, or -1
  [[nodiscard]] bool has_reals() const;
  // The names of real variables that are not whole: log p depends on their units.
  [[nodiscard]] std::vector<std::string> densities() const;
  [[nodiscard]] bool has_densities() const { return !densities().empty(); }
  [[nodiscard]] bool has_own_values() const;  // categories that are not 0, 1, .. or are new
};

// Limits on circuits that users write, checked before memory is taken.
inline constexpr std::int64_t most_blocks = 100'000;
inline constexpr std::int64_t most_text = 10 << 20;  // bytes

// This block and all under it, children first. Blocks on a cycle are left out, with all above
// them.
[[nodiscard]] std::vector<int> children_first(const Circuit& circuit, int top);

// The tensors of a block. Rows of probabilities are normalised over the last axis; a styled leaf
// has [styles, size, K]. Leaves that are not tables have parameters, and room for statistics of
// their nodes, which models do not store.
enum class TensorUse { rows, parameters, statistics };
struct TensorForm {
  std::string name;  // "ID/p", "ID/w", "ID/a1"; "ID/q", "ID/s"
  Shape shape;
};
[[nodiscard]] TensorUse use_of(std::string_view tensor_name);
[[nodiscard]] std::vector<TensorForm> tensor_forms(const Circuit& circuit, const Block& block);
// The block that holds the parameters of this one.
[[nodiscard]] int owner_of(const Circuit& circuit, int block);
// Where a tensor of a block lies: in a tensor of its own, or in one shared with other blocks.
struct TensorPlace {
  int tensor = 0;
  std::int64_t begin = 0;  // elements of the tensor before it
  Shape shape;
};
// Adds the tensors of all blocks and returns their places, by block; tied ones share a place.
// Similar blocks PREFIX.NUMBER share a tensor "PREFIX/w" in the order of the circuit: a tree has
// three tensors, whatever the number of its variables.
[[nodiscard]] std::vector<std::vector<TensorPlace>> add_tensors(const Circuit& circuit,
                                                                ParamSet& params);

// Frequencies of styles, [styles], and of the values in their rows, [styles, K]. Both decide the
// style of a row; likelihoods read only the first.
inline constexpr const char* style_prior_tensor = "styles/prior";
inline constexpr const char* style_values_tensor = "styles/values";

}  // namespace logpx::pc
