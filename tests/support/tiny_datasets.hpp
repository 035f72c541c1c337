// Small datasets with every optional part, as the tests of files need them.
#pragma once

#include "libcore/data/dataset.hpp"

#include <cstdint>

namespace logpx::testing {

struct TinyDataset {
  DatasetInfo info;
  Rows rows;
};

// n images of h x w grey pixels below 256, labels, two splits; pixels follow from the position.
[[nodiscard]] TinyDataset tiny_images(std::int64_t n, std::int64_t h, std::int64_t w);
// n float vectors with labels, lengths, true log-probabilities, latents and every attribute.
[[nodiscard]] TinyDataset tiny_vectors(std::int64_t n, std::int64_t d);
// n blocks of symbols a..z and space, with an alphabet.
[[nodiscard]] TinyDataset tiny_text(std::int64_t n, std::int64_t length);
// The same blocks with the token " the" instead of space, and some bytes as the tokens' model.
[[nodiscard]] TinyDataset tiny_tokens(std::int64_t n, std::int64_t length);
// Columns of words and of numbers in turn, with some missing values.
[[nodiscard]] TinyDataset tiny_words(std::int64_t n, std::int64_t d);
// A table with columns of all kinds, each written in a form of its own, and two ids.
[[nodiscard]] TinyDataset tiny_table(std::int64_t n);
// Two molecules, of two and of three atoms, in rows with room for three.
[[nodiscard]] TinyDataset tiny_molecules();

// Rows begin..end-1 of rows in memory.
[[nodiscard]] Rows slice(const TinyDataset& data, std::int64_t begin, std::int64_t end);

}  // namespace logpx::testing
