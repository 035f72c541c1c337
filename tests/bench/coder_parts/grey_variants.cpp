#include "libcore/codec/adaptive/grey_contexts.hpp"
#include "tests/bench/coder_parts/variants.hpp"

namespace logpx::codec::adaptive {

std::vector<Variant> grey_variants() {
  using Contexts = GreyContexts<Level::normal>;
  static_assert(Contexts::count == 14);  // of which these are numbers
  std::vector<Variant> all = variants_of<Contexts>();
  all.push_back({"neighbours", encoder<ContextsWithout<Contexts, 0, 2, 3, 6, 7, 9, 11>>()});
  all.push_back({"foretold pixels", encoder<ContextsWithout<Contexts, 1, 4, 5, 8, 10>>()});
  all.push_back({"place in the raster", encoder<ContextsWithout<Contexts, 12, 13>>()});
  return all;
}

}  // namespace logpx::codec::adaptive
