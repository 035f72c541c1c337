// Counts of rows and elements are signed; at() turns one into an index.
#pragma once

#include <cstddef>
#include <cstdint>

namespace logpx {

constexpr std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

}  // namespace logpx
