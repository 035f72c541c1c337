#include "libcore/codec/adaptive/molecule_contexts.hpp"
#include "tests/bench/coder_parts/variants.hpp"

namespace logpx::codec::adaptive {

std::vector<Variant> molecule_variants() {
  using Contexts = MoleculeContexts<Level::normal>;
  static_assert(Contexts::count == 15);  // of which these are numbers
  std::vector<Variant> all = variants_of<Contexts>();
  all.push_back({"last bytes", encoder<ContextsWithout<Contexts, 1, 2, 6>>()});
  all.push_back({"path", encoder<ContextsWithout<Contexts, 0, 3, 4, 5, 7>>()});
  all.push_back({"rings", encoder<ContextsWithout<Contexts, 3, 4, 5, 9, 10, 11, 12, 14>>()});
  all.push_back({"atoms", encoder<ContextsWithout<Contexts, 11, 12, 13>>()});
  all.push_back({"last branch", encoder<ContextsWithout<Contexts, 8>>()});
  return all;
}

}  // namespace logpx::codec::adaptive
