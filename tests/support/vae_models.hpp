// Small VAEs for tests.
#pragma once

#include "libcore/det/draws.hpp"
#include "libcore/families/vae/model.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace logpx {

// Rows of `dims` numbers: whole ones below `levels`, or real ones (levels 0).
[[nodiscard]] inline DatasetInfo vectors_of(std::int64_t dims, std::int64_t levels) {
  DatasetInfo info;
  info.name = "vectors";
  info.content = Content::vector;
  info.measure = levels > 0 ? Measure::counting : Measure::lebesgue;
  info.element = levels > 0 ? Element::u8 : Element::f32;
  info.shape = {dims};
  info.levels = levels;
  info.value_max = levels > 0 ? static_cast<double>(levels - 1) : 1;
  return info;
}

[[nodiscard]] inline Rows rows_of(const std::vector<std::uint8_t>& x, std::int64_t count) {
  Rows rows;
  rows.count = count;
  const auto bytes = std::as_bytes(std::span(x));
  rows.x.assign(bytes.begin(), bytes.end());
  return rows;
}

// Two patterns with flips: what a VAE with one latent can tell apart.
[[nodiscard]] inline std::vector<std::uint8_t> patterns(std::int64_t count, std::int64_t dims) {
  std::vector<std::uint8_t> x;
  DrawCursor draws(Rng(6).stream(Stream::test));
  for (std::int64_t i = 0; i < count; ++i) {
    const bool which = draws.uniform() < 0.5;
    for (std::int64_t d = 0; d < dims; ++d)
      x.push_back(((d % 2 == 0) == which) != (draws.uniform() < 0.1) ? 1 : 0);
  }
  return x;
}

}  // namespace logpx
