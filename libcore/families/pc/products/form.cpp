#include "libcore/families/pc/products/form.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/families/pc/circuit/validation.hpp"

#include <algorithm>

namespace logpx::pc {
namespace {

[[noreturn]] void refuse(const ProductFactor& factor, const std::string& why,
                         const std::string& hint = "") {
  fail(ErrorKind::data, factor.name, why, hint);
}

bool joins_parts(const Block& block) {
  return block.kind == BlockKind::mixing ||
         (block.kind == BlockKind::sum && block.children.size() > 1);
}

// What no circuit of a product has: the product of such a block is none of the kinds there are.
void require_factor(const ProductFactor& factor) {
  const Circuit& circuit = factor.circuit();
  if (circuit.ln_z)
    refuse(factor, "is a product that was not normalised, and is no factor of another one",
           "multiply-pc multiplies any number of models at once");
  if (circuit.styles > 1 || std::ranges::any_of(circuit.blocks, [](const Block& block) {
        return block.kind == BlockKind::indicator;
      }))
    refuse(factor,
           circuit.styles > 1 ? "has styles of rows, and circuits with styles are not multiplied"
                              : "has leaves that are mixed from a dictionary, and those are not "
                                "multiplied",
           "train-pc --dictionary 0 trains a circuit without either");
  if (!is_structured_decomposable(circuit))
    refuse(factor,
           "splits the same variables in several ways, as quad-graphs do, and has no product with "
           "another circuit");
  for (const Block& block : circuit.blocks) {
    if (block.kind == BlockKind::joint)
      refuse(factor, "has block " + block.id +
                         ", which holds gaussians of several variables; those are not multiplied");
    if (joins_parts(block))
      refuse(factor, "has block " + block.id +
                         ", which sums several blocks; those of a factor sum one each");
    if (block.kind == BlockKind::product && block.product == ProductKind::kronecker)
      refuse(factor, "has block " + block.id +
                         ", which multiplies all pairs (kronecker); those of a factor multiply "
                         "node by node");
    if (block.kind == BlockKind::product && std::ranges::count(block.children, circuit.carry()) > 0)
      refuse(factor, "has block " + block.id +
                         ", which multiplies what the next step hands on; a sum stands between "
                         "them in a factor");
  }
}

std::string values_of(const Variable& variable) {
  return variable.categories == 0 ? "real numbers" : std::to_string(variable.categories);
}

// By variable: the one on whose hidden state its own hangs, or -1.
std::vector<int> parents_of(const Circuit& circuit) {
  std::vector<int> parents(circuit.variables.size(), -1);
  const auto variable_of = [&](int b) {
    while (!circuit.blocks[at(b)].children.empty()) b = circuit.blocks[at(b)].children[0];
    return circuit.blocks[at(b)].variable;
  };
  for (const Block& block : circuit.blocks)
    for (std::size_t i = 1; block.kind == BlockKind::product && i < block.children.size(); ++i)
      if (const int v = variable_of(block.children[i]); v >= 0)
        parents[at(v)] = variable_of(block.children[0]);
  return parents;
}

class Comparison {
 public:
  Comparison(const ProductFactor& a, const ProductFactor& b) : a_(a), b_(b) {}

  void run() const {
    compare_variables();
    compare_parents();
    compare_sums();
    const std::vector<Block>&one = a_.circuit().blocks, &other = b_.circuit().blocks;
    for (std::size_t i = 0; i < std::min(one.size(), other.size()); ++i)
      if (one[i].kind != other[i].kind || one[i].children != other[i].children ||
          one[i].variable != other[i].variable)
        differ("block " + one[i].id + " of the first is built otherwise than " + other[i].id +
               " of the second");
    if (one.size() != other.size())
      differ("they have " + std::to_string(one.size()) + " and " + std::to_string(other.size()) +
             " blocks");
    if (a_.circuit().root != b_.circuit().root || a_.circuit().carried != b_.circuit().carried)
      differ("their roots are different blocks");
  }

 private:
  [[noreturn]] void differ(const std::string& how) const { differ_in_form(a_.name, b_.name, how); }

  void compare_variables() const {
    if (a_.circuit().chained() != b_.circuit().chained())
      differ(std::string("only the ") + (a_.circuit().chained() ? "first" : "second") +
             " is a chain");
    const std::vector<Variable>&one = a_.circuit().variables, &other = b_.circuit().variables;
    if (one.size() != other.size())
      differ("they have " + std::to_string(one.size()) + " and " + std::to_string(other.size()) +
             " variables");
    for (std::size_t v = 0; v < one.size(); ++v)
      if (one[v].categories != other[v].categories)
        differ("values of " + one[v].name + " are " + values_of(one[v]) + " in the first and " +
               values_of(other[v]) + " in the second");
  }

  void compare_parents() const {
    const std::vector<int> one = parents_of(a_.circuit()), other = parents_of(b_.circuit());
    const auto place = [&](int v) {
      return v < 0 ? std::string(" is at the top")
                   : " hangs on " + a_.circuit().variables[at(v)].name;
    };
    for (std::size_t v = 0; v < one.size(); ++v)
      if (one[v] != other[v])
        differ(a_.circuit().variables[v].name + place(one[v]) + " in the first and" +
               place(other[v]) + " in the second");
  }

  void compare_sums() const {
    const auto sums = [](const ProductFactor& factor) {
      return std::ranges::count(factor.circuit().blocks, BlockKind::sum, &Block::kind);
    };
    if (sums(a_) != sums(b_))
      differ("they have " + std::to_string(sums(a_)) + " and " + std::to_string(sums(b_)) +
             " sums, as trees with --leaf-latents keep and merge do");
  }

  const ProductFactor& a_;
  const ProductFactor& b_;
};

}  // namespace

void differ_in_form(const std::string& first, const std::string& second, const std::string& how) {
  fail(ErrorKind::data, first + " and " + second,
       "differ in form, and only circuits of one form are multiplied: " + how);
}

void require_one_form(std::span<const ProductFactor> factors) {
  for (const ProductFactor& factor : factors) require_factor(factor);
  for (const ProductFactor& factor : factors.subspan(1)) Comparison(factors[0], factor).run();
}

}  // namespace logpx::pc
