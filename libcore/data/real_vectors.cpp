#include "libcore/data/real_vectors.hpp"

#include <limits>

namespace logpx {

DatasetInfo real_vectors(std::int64_t dims) {
  DatasetInfo info;
  info.content = Content::vector;
  info.measure = Measure::lebesgue;
  info.element = Element::f32;
  info.shape = {dims};
  info.value_min = std::numeric_limits<float>::lowest();
  info.value_max = std::numeric_limits<float>::max();
  return info;
}

}  // namespace logpx
