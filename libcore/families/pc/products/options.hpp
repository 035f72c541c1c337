// How a product becomes a circuit: options of multiply-pc, and of train-pc where training starts
// from a product.   [pc/README 4.6]
#pragma once

#include "libcore/families/pc/products/normalise.hpp"

#include <vector>

namespace logpx {
class Field;
class Fields;
}  // namespace logpx

namespace logpx::pc {

struct ProductOptions {
  Normalise normalize = Normalise::automatic;
  double perturb = 0;  // deviation of the logarithms of what sums are multiplied by

  // Returns the fields, for what they go with.
  std::vector<Field*> describe(Fields& fields);
};

}  // namespace logpx::pc
