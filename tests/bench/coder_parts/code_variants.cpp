#include "libcore/codec/adaptive/arm_contexts.hpp"
#include "libcore/codec/adaptive/x86_contexts.hpp"
#include "tests/bench/coder_parts/variants.hpp"

namespace logpx::codec::adaptive {

std::vector<Variant> x86_variants() {
  using Contexts = X86Contexts<Level::normal>;
  static_assert(Contexts::count == 15);  // of which these are numbers
  std::vector<Variant> all = variants_of<Contexts>();
  all.push_back({"instruction", encoder<ContextsWithout<Contexts, 10, 11>>()});
  all.push_back({"instructions before", encoder<ContextsWithout<Contexts, 12, 13, 14>>()});
  return all;
}

std::vector<Variant> arm_variants() {
  using Contexts = ArmContexts<Level::normal>;
  static_assert(Contexts::count == 15);
  std::vector<Variant> all = variants_of<Contexts>();
  all.push_back({"instruction", encoder<ContextsWithout<Contexts, 5, 6, 7>>()});
  all.push_back(
      {"instructions before", encoder<ContextsWithout<Contexts, 8, 9, 10, 11, 12, 13, 14>>()});
  return all;
}

}  // namespace logpx::codec::adaptive
