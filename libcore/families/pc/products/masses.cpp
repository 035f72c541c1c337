#include "libcore/families/pc/products/masses.hpp"

#include "libcore/base/index.hpp"
#include "libcore/det/functions.hpp"
#include "libcore/math/blas.hpp"
#include "libcore/math/monarch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace logpx::pc {
namespace {

constexpr double settled_within = 1e-14;
constexpr std::int64_t most_steps = 10'000;  // until masses of a chain settle

// By those of all children but the first.
void multiply_others(const Block& block, const std::vector<Masses>& masses, Masses& own) {
  for (std::size_t i = 1; i < block.children.size(); ++i)
    own.multiply_by(masses[at(block.children[i])]);
}

double largest_gap(const Masses& a, const Masses& b) {
  double gap = 0;
  for (std::size_t j = 0; j < a.values.size(); ++j)
    gap = std::max(gap, std::abs(a.values[j] - b.values[j]));
  return gap;
}

double ln_of(const Masses& root) {
  if (!(root.values[0] > 0)) return -std::numeric_limits<double>::infinity();
  return root.ln_scale + det_log(root.values[0]);
}

}  // namespace

Masses mass_of_product(const Block& block, const std::vector<Masses>& masses) {
  Masses own = masses[at(block.children[0])];
  multiply_others(block, masses, own);
  return own;
}

// M of a factor on the slowest axis of x, whose result becomes the fastest one.
void MassPass::apply_to_slowest(const MonarchFactors& factors, const std::vector<double>& numbers,
                                std::vector<double>& x) {
  const Monarch form(factors);
  std::vector<const double*> tensors;
  const double* left = numbers.data();
  for (const MonarchLayer& layer : form.layers()) {
    tensors.push_back(left);
    left += layer.edges();
  }
  const std::int64_t rest = std::ssize(x) / form.columns();
  room_.resize(at(form.room(rest)));
  made_.resize(at(form.rows() * rest));
  MonarchMap<double>(form, tensors, rest, room_).apply(x.data(), made_.data());
  x.resize(made_.size());
  for (std::int64_t j = 0; j < form.rows(); ++j)
    for (std::int64_t r = 0; r < rest; ++r) x[at(r * form.rows() + j)] = made_[at(j * rest + r)];
}

void MassPass::pass_sum(int b, Masses& masses) {
  for (const ProductFactor& factor : factors_)
    apply_to_slowest(factor.circuit().blocks[at(b)].factors, factor.numbers(b), masses.values);
  masses.rescale();
}

const std::vector<Masses>& MassPass::all(const Masses& later) {
  const Circuit& circuit = product_.whole.circuit;
  masses_.resize(circuit.blocks.size());
  for (const int b : children_first(circuit, circuit.root)) {
    const Block& block = circuit.blocks[at(b)];
    Masses& own = masses_[at(b)];
    if (block.kind == BlockKind::leaf) own = product_.masses[at(b)];
    if (block.kind == BlockKind::carry) own = later;
    if (block.kind == BlockKind::product || block.kind == BlockKind::sum)
      own = masses_[at(block.children[0])];
    if (block.kind == BlockKind::sum) pass_sum(b, own);
    if (block.kind == BlockKind::product) multiply_others(block, masses_, own);
  }
  return masses_;
}

ProductMass mass_of(std::span<const ProductFactor> factors, const CircuitProduct& product,
                    std::int64_t steps, Follow follow) {
  single_threaded_kernels();
  const Circuit& circuit = product.whole.circuit;
  MassPass pass(factors, product);
  if (!circuit.chained()) return {.ln_z = ln_of(pass.all({})[at(circuit.root)])};
  ProductMass mass{.later = Masses::ones(circuit.blocks[at(circuit.carried)].size),
                   .settled = false};
  const std::int64_t most = follow == Follow::endless ? std::max(steps, most_steps) : steps;
  for (std::int64_t step = 1; step <= most && !mass.settled; ++step) {
    const std::vector<Masses>& all = pass.all(mass.later);
    const Masses& own = all[at(circuit.carried)];
    mass.settled = largest_gap(own, mass.later) <= settled_within;
    // From a settled step on each adds the same.
    mass.growth = own.ln_scale - mass.later.ln_scale;
    if (step == steps || (mass.settled && step < steps))
      mass.ln_z = ln_of(all[at(circuit.root)]) + static_cast<double>(steps - step) * mass.growth;
    mass.later = own;
  }
  return mass;
}

}  // namespace logpx::pc
