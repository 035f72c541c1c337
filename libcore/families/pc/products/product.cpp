#include "libcore/families/pc/products/product.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/math/monarch.hpp"

#include <algorithm>
#include <utility>

namespace logpx::pc {
namespace {

constexpr std::int64_t most_states = std::int64_t{1} << 31;
constexpr std::size_t most_layers = 40;

const Block& block_of(const ProductFactor& factor, std::size_t b) {
  return factor.circuit().blocks[b];
}

std::string names_of(std::span<const ProductFactor> factors) {
  std::string names;
  for (std::size_t k = 0; k < factors.size(); ++k)
    names += (k == 0 ? "" : k + 1 < factors.size() ? ", " : " and ") + factors[k].name;
  return names;
}

std::int64_t states_of(std::span<const ProductFactor> factors, std::size_t b) {
  std::int64_t states = 1;
  for (const ProductFactor& factor : factors) {
    const std::int64_t own = block_of(factor, b).size;
    if (own > most_states / states)
      fail(ErrorKind::data, names_of(factors),
           "have a product of more than 2^31 hidden states, which no circuit can have");
    states *= own;
  }
  return states;
}

// Sums with one output are one matrix, since layers would not save anything.
MonarchFactors sum_of_product(std::span<const ProductFactor> factors, std::size_t b) {
  MonarchFactors all;
  for (const ProductFactor& factor : factors) {
    const MonarchFactors own = Monarch(block_of(factor, b).factors).factors();
    const auto axes = static_cast<int>(all.m.size());
    all.m.insert(all.m.end(), own.m.begin(), own.m.end());
    all.n.insert(all.n.end(), own.n.begin(), own.n.end());
    for (const int axis : own.program) all.program.push_back(axes + axis);
  }
  if (all.program.size() > most_layers)
    fail(ErrorKind::data, names_of(factors),
         "have " + std::to_string(all.program.size()) + " layers in block " +
             block_of(factors[0], b).id + " together, and a sum has 40 at most");
  if (std::ranges::any_of(all.m, [](std::int64_t m) { return m != 1; })) return all;
  std::int64_t inputs = 1;
  for (const std::int64_t n : all.n) inputs *= n;
  return {.m = {1}, .n = {inputs}, .program = {}};
}

LeafKind leaf_of_product(std::span<const ProductFactor> factors, std::size_t b) {
  const LeafKind kind = block_of(factors[0], b).leaf_kind;
  const bool same = std::ranges::all_of(
      factors, [&](const ProductFactor& factor) { return block_of(factor, b).leaf_kind == kind; });
  const bool closed = kind == LeafKind::gaussian || kind == LeafKind::bernoulli;
  return same && closed ? kind : LeafKind::table;
}

int tied_in_all(std::span<const ProductFactor> factors, std::size_t b) {
  const int owner = block_of(factors[0], b).tied_to;
  const bool same = std::ranges::all_of(
      factors, [&](const ProductFactor& factor) { return block_of(factor, b).tied_to == owner; });
  return same ? owner : -1;
}

// The numbers of one layer of a factor, once for each state of all others. Blocks of the product
// are numbered by the factor's axes behind the contracted one, all axes of the others, and the
// factor's axes before it, slowest first.
void copy_layer(std::span<const double> own, std::int64_t behind, std::int64_t others,
                std::vector<double>& to) {
  const auto each = std::ssize(own) / behind;
  for (std::int64_t b = 0; b < behind; ++b)
    for (std::int64_t other = 0; other < others; ++other)
      to.insert(to.end(), own.begin() + b * each, own.begin() + (b + 1) * each);
}

std::vector<double> sum_weights(std::span<const ProductFactor> factors, std::size_t b,
                                const MonarchFactors& sum) {
  std::vector<double> weights;
  const Monarch whole(sum);
  weights.reserve(at(whole.edges()));
  auto layer = whole.layers().begin();
  for (const ProductFactor& factor : factors) {
    const Monarch form(block_of(factor, b).factors);
    std::span<const double> left = factor.numbers(static_cast<int>(b));
    std::vector<std::int64_t> states = form.factors().n;
    for (const MonarchLayer& own : form.layers()) {
      std::int64_t behind = 1;
      for (std::size_t axis = at(own.axis) + 1; axis < states.size(); ++axis)
        behind *= states[axis];
      copy_layer(left.first(at(own.edges())), behind, layer->blocks / own.blocks, weights);
      left = left.subspan(at(own.edges()));
      states[at(own.axis)] = own.m;
      ++layer;
    }
  }
  return weights;
}

// gamma_1 (x) gamma_2 (x) ..
std::vector<double> row_of_pairs(std::span<const ProductFactor> factors, std::size_t b) {
  std::vector<double> row = {1};
  for (const ProductFactor& factor : factors) {
    const Monarch form(block_of(factor, b).factors);
    const double* left = factor.numbers(static_cast<int>(b)).data();
    std::vector<const double*> tensors;
    for (const MonarchLayer& layer : form.layers()) {
      tensors.push_back(left);
      left += layer.edges();
    }
    const std::vector<double> own = materialize<double>(form, tensors);
    std::vector<double> pairs;
    pairs.reserve(row.size() * own.size());
    for (const double weight : row)
      for (const double other : own) pairs.push_back(weight * other);
    row = std::move(pairs);
  }
  return row;
}

LeafProduct leaves_at(std::span<const ProductFactor> factors, std::size_t b) {
  std::vector<LeafNodes> leaves;
  for (const ProductFactor& factor : factors)
    leaves.push_back({.kind = block_of(factor, b).leaf_kind,
                      .nodes = block_of(factor, b).size,
                      .parameters = factor.numbers(static_cast<int>(b))});
  const Circuit& circuit = factors[0].circuit();
  return multiply_leaves(leaves, circuit.variables[at(circuit.blocks[b].variable)].categories);
}

}  // namespace

Circuit product_circuit(std::span<const ProductFactor> factors) {
  Circuit circuit = factors[0].circuit();
  for (std::size_t b = 0; b < circuit.blocks.size(); ++b) {
    Block& block = circuit.blocks[b];
    block.size = states_of(factors, b);
    block.tied_to = block.kind == BlockKind::leaf ? tied_in_all(factors, b) : -1;
    if (block.kind == BlockKind::leaf) block.leaf_kind = leaf_of_product(factors, b);
    if (block.kind == BlockKind::sum) block.factors = sum_of_product(factors, b);
  }
  return circuit;
}

CircuitProduct multiply(std::span<const ProductFactor> factors) {
  CircuitProduct product{.whole = {.circuit = product_circuit(factors), .weights = {}},
                         .masses = {}};
  for (std::size_t b = 0; b < product.whole.circuit.blocks.size(); ++b) {
    const Block& block = product.whole.circuit.blocks[b];
    std::vector<double>& weights = product.whole.weights.emplace_back();
    Masses& masses = product.masses.emplace_back();
    if (block.kind == BlockKind::sum)
      weights =
          block.is_dense() ? row_of_pairs(factors, b) : sum_weights(factors, b, block.factors);
    if (block.kind != BlockKind::leaf) continue;
    LeafProduct leaves = leaves_at(factors, b);
    weights = std::move(leaves.leaf.parameters);
    masses = std::move(leaves.masses);
  }
  return product;
}

}  // namespace logpx::pc
