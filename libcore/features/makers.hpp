// One function per extractor, in the file of its class; kinds.cpp lists them.
#pragma once

#include "libcore/features/kinds.hpp"

namespace logpx {

using ExtractorMaker = std::unique_ptr<Extractor> (*)(const ExtractorWords&, ExtractorParts);

// Values of a row, scaled to [0, 1].
[[nodiscard]] std::unique_ptr<Extractor> make_pixels(const ExtractorWords&, ExtractorParts);
// Scores on the first principal axes of such values.
[[nodiscard]] std::unique_ptr<Extractor> make_pca(const ExtractorWords&, ExtractorParts);
// Convolutions with random weights.
[[nodiscard]] std::unique_ptr<Extractor> make_random_conv(const ExtractorWords&, ExtractorParts);
// Posterior means of a model with latents.
[[nodiscard]] std::unique_ptr<Extractor> make_posterior(const ExtractorWords&, ExtractorParts);
// Convolutions fitted to tell classes apart.
[[nodiscard]] std::unique_ptr<Extractor> make_classifier(const ExtractorWords&, ExtractorParts);
// The pool features of Inception v3, with weights that the user has.
[[nodiscard]] std::unique_ptr<Extractor> make_inception(const ExtractorWords&, ExtractorParts);

}  // namespace logpx
