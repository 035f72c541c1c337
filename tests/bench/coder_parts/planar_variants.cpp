#include "libcore/codec/adaptive/planar_contexts.hpp"
#include "tests/bench/coder_parts/variants.hpp"

namespace logpx::codec::adaptive {

std::vector<Variant> planar_variants() {
  using Contexts = PlanarContexts<Level::normal>;
  static_assert(Contexts::count == 15);  // of which these are numbers
  std::vector<Variant> all = variants_of<Contexts>();
  all.push_back({"neighbours", encoder<ContextsWithout<Contexts, 0, 2, 3, 6, 8>>()});
  all.push_back({"foretold pixels", encoder<ContextsWithout<Contexts, 1, 4, 5, 9>>()});
  all.push_back({"other colours", encoder<ContextsWithout<Contexts, 7, 10, 11, 12, 13, 14>>()});
  return all;
}

}  // namespace logpx::codec::adaptive
