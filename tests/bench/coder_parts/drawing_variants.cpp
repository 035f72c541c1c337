#include "libcore/codec/adaptive/drawing_contexts.hpp"
#include "tests/bench/coder_parts/variants.hpp"

namespace logpx::codec::adaptive {
namespace {

// Its forecast says nothing of its own any more; contexts still see it.
template <typename Contexts>
struct WithoutDrawingChance : Contexts {
  using Contexts::Contexts;
  static constexpr int chances = 0;
};
// Pixels among equal ones are coded as all others.
template <typename Contexts>
struct WithoutFlatDrawing : Contexts {
  using Contexts::Contexts;
  static constexpr std::size_t flat_pixel = 0;
};

template <typename Contexts>
std::vector<Variant> drawing_variants() {
  static_assert(Contexts::count == 13);  // of which these are numbers
  std::vector<Variant> all = variants_of<Contexts>();
  all.push_back({"whole pixels", encoder<ContextsWithout<Contexts, 0, 1, 2, 3, 6, 8, 9>>()});
  all.push_back({"foretold pixels", encoder<ContextsWithout<Contexts, 10, 11, 12>>()});
  all.push_back({"chance of the forecast", encoder<WithoutDrawingChance<Contexts>>()});
  all.push_back({"flat pixels", encoder<WithoutFlatDrawing<Contexts>>()});
  return all;
}

}  // namespace

std::vector<Variant> rgba_variants() {
  return drawing_variants<DrawingContexts<Level::normal, 4>>();
}
std::vector<Variant> drawn_rgb_variants() {
  return drawing_variants<DrawingContexts<Level::normal, 3>>();
}

}  // namespace logpx::codec::adaptive
