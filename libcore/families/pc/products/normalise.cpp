#include "libcore/families/pc/products/normalise.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/det/functions.hpp"
#include "libcore/math/monarch_form.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace logpx::pc {
namespace {

// Weights times the masses that they read, over their sum, which is the mass of what they make.
// Outputs without mass keep their weights: nothing will choose them.
std::vector<double> push_through_layer(const MonarchLayer& layer, const std::vector<double>& in,
                                       std::span<double> weights) {
  std::vector<double> out(at(layer.out_rows()));
  for (std::int64_t r = 0; r < layer.blocks; ++r)
    for (std::int64_t j = 0; j < layer.m; ++j) {
      const std::span<double> row = weights.subspan(at((r * layer.m + j) * layer.n), at(layer.n));
      double sum = 0;
      for (std::int64_t i = 0; i < layer.n; ++i) sum += row[at(i)] * in[at(layer.in_row(r, i))];
      out[at(layer.out_row(r, j))] = sum;
      for (std::int64_t i = 0; i < layer.n && sum > 0; ++i)
        row[at(i)] *= in[at(layer.in_row(r, i))] / sum;
    }
  return out;
}

Masses push_through(const Monarch& form, Masses masses, std::span<double> weights) {
  for (const MonarchLayer& layer : form.layers()) {
    masses.values = push_through_layer(layer, masses.values, weights.first(at(layer.edges())));
    weights = weights.subspan(at(layer.edges()));
  }
  masses.rescale();
  return masses;
}

// The first layer takes all of the masses.
void take_in(const Monarch& form, const Masses& masses, std::span<double> weights) {
  const MonarchLayer& layer = form.layers()[0];
  const double scale = det_exp(masses.ln_scale);
  for (std::int64_t r = 0; r < layer.blocks; ++r)
    for (std::int64_t j = 0; j < layer.m; ++j)
      for (std::int64_t i = 0; i < layer.n; ++i)
        weights[at((r * layer.m + j) * layer.n + i)] *=
            scale * masses.values[at(layer.in_row(r, i))];
}

// What a step of a chain hands on where sums keep the masses below them: those of its leaves.
Masses kept_by_step(const CircuitProduct& product) {
  const Circuit& circuit = product.whole.circuit;
  if (!circuit.chained()) return {};
  std::vector<Masses> masses = product.masses;
  for (const int b : children_first(circuit, circuit.carried)) {
    const Block& block = circuit.blocks[at(b)];
    if (block.kind == BlockKind::product) masses[at(b)] = mass_of_product(block, masses);
    else if (block.kind != BlockKind::leaf) masses[at(b)] = Masses::ones(block.size);
  }
  return masses[at(circuit.carried)];
}

// Goes up through the blocks; sums pass masses on (push), or keep them (none).
void give_to_sums(CircuitProduct& product, Normalise how, const Masses& later) {
  const Circuit& circuit = product.whole.circuit;
  std::vector<Masses> masses = product.masses;
  for (const int b : children_first(circuit, circuit.root)) {
    const Block& block = circuit.blocks[at(b)];
    Masses& own = masses[at(b)];
    if (block.kind == BlockKind::carry) own = later;
    if (block.kind == BlockKind::product) own = mass_of_product(block, masses);
    if (block.kind != BlockKind::sum) continue;
    const Monarch form(block.factors);
    std::vector<double>& weights = product.whole.weights[at(b)];
    const Masses& in = masses[at(block.children[0])];
    if (how == Normalise::none) {
      take_in(form, in, weights);
      own = Masses::ones(block.size);
    } else {
      own = push_through(form, in, weights);
    }
  }
}

void require_form(const Circuit& circuit, Normalise how) {
  if (how == Normalise::push && circuit.chained())
    fail(ErrorKind::usage, "--normalize",
         "is push, which is for trees and paths, and these are chains of any length",
         "--normalize perron");
  if (how == Normalise::perron && !circuit.chained())
    fail(ErrorKind::usage, "--normalize", "is perron, which is for chains, and these are none",
         "--normalize push");
}

}  // namespace

const char* word_of(Normalise how) {
  switch (how) {
    case Normalise::automatic: break;
    case Normalise::local: return "local";
    case Normalise::push: return "push";
    case Normalise::perron: return "perron";
    case Normalise::none: return "none";
  }
  return "auto";
}

double normalise_product(CircuitProduct& product, std::span<const ProductFactor> factors,
                         Normalise how, std::int64_t steps) {
  const Circuit& circuit = product.whole.circuit;
  require_form(circuit, how);
  const ProductMass mass =
      mass_of(factors, product, steps, how == Normalise::perron ? Follow::endless : Follow::steps);
  if (how == Normalise::local) return mass.ln_z;
  if (!std::isfinite(mass.ln_z))
    fail(ErrorKind::numeric, factors[0].name,
         "and the others have no row in common: their product is 0 everywhere");
  if (how == Normalise::perron && !mass.settled)
    fail(ErrorKind::numeric, "--normalize perron",
         "finds no masses that stay the same from step to step, as where hidden states alternate",
         "--normalize local");
  give_to_sums(product, how, how == Normalise::none ? kept_by_step(product) : mass.later);
  if (how == Normalise::none) product.whole.circuit.ln_z = mass.ln_z;
  return mass.ln_z;
}

}  // namespace logpx::pc
