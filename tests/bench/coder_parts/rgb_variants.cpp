#include "libcore/codec/adaptive/rgb_contexts.hpp"
#include "tests/bench/coder_parts/variants.hpp"

namespace logpx::codec::adaptive {
namespace {

using Contexts = RgbContexts<Level::normal>;

// Its forecast says nothing of its own any more; contexts still see it.
struct WithoutChance : Contexts {
  using Contexts::Contexts;
  static constexpr int chances = 0;
};

}  // namespace

std::vector<Variant> rgb_variants() {
  static_assert(Contexts::count == 10);  // of which these are numbers
  std::vector<Variant> all = variants_of<Contexts>();
  all.push_back({"foretold pixels", encoder<ContextsWithout<Contexts, 0, 4, 5>>()});
  all.push_back({"other colours", encoder<ContextsWithout<Contexts, 1, 2, 3, 6, 7, 8, 9>>()});
  all.push_back({"chance of the forecast", encoder<WithoutChance>()});
  return all;
}

}  // namespace logpx::codec::adaptive
