#include "libcore/codec/adaptive/grey_contexts.hpp"
#include "tests/bench/coder_parts/variants.hpp"

namespace logpx::codec::adaptive {
namespace {

using Contexts = GreyContexts<Level::normal>;

// Forecasts say nothing of their own any more; contexts still see them.
struct WithoutGreyChances : Contexts {
  using Contexts::Contexts;
  static constexpr int chances = 0;
};
// Pixels among equal ones are coded as all others.
struct WithoutFlatPixels : Contexts {
  using Contexts::Contexts;
  static constexpr std::size_t flat_pixel = 0;
};

}  // namespace

std::vector<Variant> grey_variants() {
  static_assert(Contexts::count == 34);  // of which these are numbers
  std::vector<Variant> all = variants_of<Contexts>();
  all.push_back({"neighbours",
                 encoder<ContextsWithout<Contexts, 0, 2, 3, 6, 7, 9, 11, 15, 17, 21, 30, 31>>()});
  all.push_back(
      {"foretold pixels", encoder<ContextsWithout<Contexts, 1, 4, 5, 8, 10, 14, 16, 18, 19>>()});
  all.push_back(
      {"place in the raster", encoder<ContextsWithout<Contexts, 12, 13, 28, 29, 32, 33>>()});
  all.push_back(
      {"contexts of forecasts", encoder<ContextsWithout<Contexts, 22, 23, 24, 25, 26, 27>>()});
  all.push_back({"chance of the forecast", encoder<WithoutGreyChances>()});
  all.push_back({"flat pixels", encoder<WithoutFlatPixels>()});
  return all;
}

}  // namespace logpx::codec::adaptive
