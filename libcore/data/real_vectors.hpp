// The description that datasets of real vectors start from: files of numbers, generators, codes.
#pragma once

#include "libcore/data/dataset.hpp"

#include <cstdint>

namespace logpx {

// Their domain is all that a float can hold, where the source does not say more.
[[nodiscard]] DatasetInfo real_vectors(std::int64_t dims);

}  // namespace logpx
