#include "libcore/codec/adaptive/bit_contexts.hpp"
#include "tests/bench/coder_parts/variants.hpp"

namespace logpx::codec::adaptive {

std::vector<Variant> bit_variants() {
  using Contexts = BitContexts<Level::normal>;
  static_assert(Contexts::count == 12);  // of which these are numbers
  std::vector<Variant> all = variants_of<Contexts>();
  all.push_back({"neighbours", encoder<ContextsWithout<Contexts, 0, 1, 2, 3, 4, 5, 8, 9, 11>>()});
  return all;
}

}  // namespace logpx::codec::adaptive
