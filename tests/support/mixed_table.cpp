#include "tests/support/mixed_table.hpp"

#include "libcore/base/index.hpp"
#include "libcore/base/rng.hpp"

#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

namespace logpx::testing {

HeldRows mixed_table(std::int64_t rows) {
  HeldRows held;
  held.info.name = "table";
  held.info.content = Content::vector;
  held.info.element = Element::f32;
  held.info.measure = Measure::lebesgue;
  held.info.shape = {5};
  held.info.n = held.rows.count = rows;
  held.info.column_names = {"word", "few", "whole", "real", "constant"};
  const std::vector<std::string> words = {"no", "yes"};
  held.info.column_words.add_column(words);
  for (int column = 1; column < 5; ++column) held.info.column_words.add_column({});
  const Substream draws = Rng(2).stream(Stream::test);
  std::vector<float> x;
  for (std::uint64_t row = 0; row < at(rows); ++row) {
    const auto word = static_cast<float>(draws.word(4 * row) % 2);
    const auto noise = static_cast<float>(draws.uniform(4 * row + 1));
    const float whole = std::floor(100 * noise) - 30;
    const float cells[] = {word, word == 0 ? -1.5F : 7.0F, whole + 40 * word,
                           0.1F * whole + static_cast<float>(draws.uniform(4 * row + 2)), 7.5F};
    x.insert(x.end(), std::begin(cells), std::end(cells));
    if (row % 9 == 0) x[x.size() - 2] = std::numeric_limits<float>::quiet_NaN();
  }
  held.rows.x.resize(x.size() * sizeof(float));
  std::memcpy(held.rows.x.data(), x.data(), held.rows.x.size());
  held.info.has_missing = true;
  held.info.standardisation = {.mean = {0, 0, 40, 4, 7.5}, .deviation = {1, 1, 30, 3, 1}};
  return held;
}

}  // namespace logpx::testing
