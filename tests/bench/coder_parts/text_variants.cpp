#include "libcore/codec/adaptive/text_contexts.hpp"
#include "tests/bench/coder_parts/variants.hpp"

namespace logpx::codec::adaptive {

std::vector<Variant> text_variants() {
  using Contexts = TextContexts<Level::normal>;
  static_assert(Contexts::count == 15);  // of which these are numbers
  std::vector<Variant> all = variants_of<Contexts>();
  all.push_back({"runs", encoder<Contexts, WithoutRuns>()});
  all.push_back({"weights by byte classes", encoder<Contexts, WithoutSets<3>>()});
  all.push_back({"gaps", encoder<ContextsWithout<Contexts, 2>>()});
  all.push_back({"row above, column", encoder<ContextsWithout<Contexts, 3>>()});
  all.push_back({"brackets", encoder<ContextsWithout<Contexts, 4>>()});
  all.push_back({"orders five and eight", encoder<ContextsWithout<Contexts, 9, 10>>()});
  all.push_back({"words", encoder<ContextsWithout<Contexts, 5, 11, 12>>()});
  all.push_back({"followers", encoder<ContextsWithout<Contexts, 13, 14>>()});
  return all;
}

}  // namespace logpx::codec::adaptive
