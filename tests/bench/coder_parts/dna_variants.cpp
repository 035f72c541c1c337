#include "libcore/codec/adaptive/dna_contexts.hpp"
#include "tests/bench/coder_parts/variants.hpp"

namespace logpx::codec::adaptive {

std::vector<Variant> dna_variants() { return variants_of<DnaContexts<Level::normal>>(); }

}  // namespace logpx::codec::adaptive
