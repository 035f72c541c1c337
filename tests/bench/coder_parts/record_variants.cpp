#include "libcore/codec/adaptive/record_contexts.hpp"
#include "tests/bench/coder_parts/variants.hpp"

namespace logpx::codec::adaptive {

std::vector<Variant> record_variants() {
  using Contexts = RecordContexts<Level::normal>;
  static_assert(Contexts::count == 15);  // of which these are numbers
  std::vector<Variant> all = variants_of<Contexts>();
  all.push_back({"orders five and six", encoder<ContextsWithout<Contexts, 5>>()});
  all.push_back({"words", encoder<ContextsWithout<Contexts, 14>>()});
  all.push_back({"gaps", encoder<ContextsWithout<Contexts, 6, 7, 8>>()});
  all.push_back({"row above, column", encoder<ContextsWithout<Contexts, 9, 10, 11, 12, 13>>()});
  return all;
}

}  // namespace logpx::codec::adaptive
