// pixels: the values of a row themselves.
#include "libcore/features/kinds.hpp"
#include "libcore/features/unit_rows.hpp"

namespace logpx {
namespace {

class Pixels final : public Extractor {
 public:
  explicit Pixels(const ExtractorWords& words, const DatasetInfo& data)
      : Extractor({.name = words.text, .data = data, .width = data.dims()}) {}

  void extract(const Examples& examples, const FeatureBlock& out) const override {
    unit_rows(examples, info_.data, out.features);
  }
};

}  // namespace

std::unique_ptr<Extractor> make_pixels(const ExtractorWords& words, ExtractorParts parts) {
  return std::make_unique<Pixels>(words, parts.data);
}

}  // namespace logpx
