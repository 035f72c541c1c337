// What the blocks of a product sum to over all values of their variables, from the leaves up: sums
// apply the factors' matrices one behind the other, so that a pass costs what the factors do.
// [pc/README 4.6]
//
//   trees:   ln Z is the mass of the root
//   chains:  a step maps masses of the next step to its own, w <- beta-mass * M w; after T steps
//            the root has ln Z_T, and after many w is that of an endless sequence
#pragma once

#include "libcore/families/pc/products/product.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx::pc {

// Node by node, of the children of a product.
[[nodiscard]] Masses mass_of_product(const Block& block, const std::vector<Masses>& masses);

class MassPass {
 public:
  // The arguments outlive it.
  MassPass(std::span<const ProductFactor> factors, const CircuitProduct& product)
      : factors_(factors), product_(product) {}

  // The masses of all blocks, where the carry of a chain has these; until it is asked again.
  [[nodiscard]] const std::vector<Masses>& all(const Masses& later);

 private:
  void pass_sum(int block, Masses& masses);
  void apply_to_slowest(const MonarchFactors& factors, const std::vector<double>& numbers,
                        std::vector<double>& x);
  std::span<const ProductFactor> factors_;
  const CircuitProduct& product_;
  std::vector<Masses> masses_;
  std::vector<double> room_, made_;  // kept from one sum to the next
};

struct ProductMass {
  double ln_z = 0;  // of rows of this many steps; -inf: no row is possible
  // For chains: masses of an endless sequence, and whether the steps lead to one.
  Masses later = {};
  bool settled = true;
  double growth = 0;  // what each further step of such a sequence adds to ln Z
};
// endless: a chain's masses are followed until they settle, not only for these steps.
enum class Follow { steps, endless };
[[nodiscard]] ProductMass mass_of(std::span<const ProductFactor> factors,
                                  const CircuitProduct& product, std::int64_t steps, Follow follow);

}  // namespace logpx::pc
