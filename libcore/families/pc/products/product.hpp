// The product of circuits of one form. Its hidden states are tuples of the factors' states, the
// first factor's slowest; its sums are Monarch matrices whose layers are all layers of the factors,
// copied along the states of the others; its leaves are those of leaf_products.hpp.
// [Monarch sec. 3; pc/README 4.6]
//
//   require_one_form(factors);
//   CircuitProduct product = multiply(factors);       // p_1(x) p_2(x) .., but for masses of leaves
//   normalise_product(product, factors, Normalise::push, 1);   // normalise.hpp
#pragma once

#include "libcore/families/pc/products/form.hpp"
#include "libcore/families/pc/products/leaf_products.hpp"

#include <span>
#include <vector>

namespace logpx::pc {

struct CircuitProduct {
  CircuitText whole;           // rows of sums and leaves sum to 1 if those of the factors do
  std::vector<Masses> masses;  // by block: of leaves what their products sum to; else empty
};

// Leaves that are tied in all factors stay so; sums have weights of their own. A data error when it
// has more states or layers than a circuit can have.
[[nodiscard]] Circuit product_circuit(std::span<const ProductFactor> factors);
// Takes as much memory as the numbers of that circuit do, in double.
[[nodiscard]] CircuitProduct multiply(std::span<const ProductFactor> factors);

}  // namespace logpx::pc
