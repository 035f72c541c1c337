#include "libcore/codec/adaptive/sample_contexts.hpp"
#include "tests/bench/coder_parts/variants.hpp"

namespace logpx::codec::adaptive {
namespace {

using Contexts = SampleContexts<Level::normal>;

// Forecasts say nothing of their own any more; contexts still see them.
struct WithoutChances : Contexts {
  using Contexts::Contexts;
  static constexpr int chances = 0;
};

}  // namespace

std::vector<Variant> sample_variants() {
  static_assert(Contexts::count == 16);  // of which these are numbers
  std::vector<Variant> all = variants_of<Contexts>();
  all.push_back({"contexts of forecasts",
                 encoder<ContextsWithout<Contexts, 0, 1, 2, 3, 5, 7, 9, 11, 12, 13, 14, 15>>()});
  all.push_back({"chance of the forecast", encoder<WithoutChances>()});
  return all;
}

}  // namespace logpx::codec::adaptive
