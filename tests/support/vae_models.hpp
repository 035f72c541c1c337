// Small VAEs for tests.
#pragma once

#include "libcore/families/vae/model.hpp"

#include <memory>
#include <string>

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

}  // namespace logpx
