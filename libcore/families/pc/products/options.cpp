#include "libcore/families/pc/products/options.hpp"

#include "libcore/base/fields.hpp"

namespace logpx::pc {

std::vector<Field*> ProductOptions::describe(Fields& f) {
  Field& how =
      f.add("normalize", normalize,
            {{"auto", Normalise::automatic,
              "multiply-pc takes perron for chains, else push; train-pc takes local"},
             {"local", Normalise::local,
              "leaf by leaf: sharper than the product, and a good start of training"},
             {"push", Normalise::push, "exactly, through the sums of trees and paths"},
             {"perron", Normalise::perron,
              "of chains: exactly but for the ends of sequences, which count as if they went on"},
             {"none", Normalise::none,
              "not at all: ln Z is kept, and log p of whole rows is all that is answered"}},
            "how the product becomes a distribution")
          .source("Monarch sec. 3");
  Field& noise = f.add("perturb", perturb,
                       "multiply the weights of sums by e^(R n), n normal, so that equal ones part")
                     .metavar("R")
                     .range(0, 10)
                     .unless({[this] { return normalize == Normalise::none; }, "--normalize none"})
                     .rank(Rank::manual);
  return {&how, &noise};
}

}  // namespace logpx::pc
