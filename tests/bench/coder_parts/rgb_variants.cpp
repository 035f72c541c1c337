#include "libcore/codec/adaptive/rgb_contexts.hpp"
#include "tests/bench/coder_parts/variants.hpp"

namespace logpx::codec::adaptive {

std::vector<Variant> rgb_variants() {
  using Contexts = RgbContexts<Level::normal>;
  static_assert(Contexts::count == 15);  // of which these are numbers
  std::vector<Variant> all = variants_of<Contexts>();
  all.push_back({"foretold pixels", encoder<ContextsWithout<Contexts, 4, 6, 10, 13>>()});
  all.push_back(
      {"other colours", encoder<ContextsWithout<Contexts, 1, 2, 3, 5, 7, 8, 9, 11, 12, 14>>()});
  return all;
}

}  // namespace logpx::codec::adaptive
