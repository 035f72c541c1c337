// Rows of PNG, one at a time: what its filters make of them, and which filter an encoder took.
#pragma once

#include "formats/archive/wire.hpp"
#include "formats/deflate/decisions.hpp"

#include <cstddef>
#include <span>

namespace logpx::archive {

constexpr int png_filters = 5;

// `pixel` is the distance to the pixel before; `above` is empty in the first row. `filtered` and
// `row` are as long as each other and may be the same.
void filter_row(int filter, std::size_t pixel, ByteView row, ByteView above,
                std::span<std::byte> filtered);
void unfilter_row(int filter, std::size_t pixel, ByteView filtered, ByteView above,
                  std::span<std::byte> row);

// The filter whose row has the least sum of absolute differences; of several the first.
[[nodiscard]] int least_filter(std::size_t pixel, ByteView row, ByteView above);
// Writes or reads which filter a row has, where another one may be foretold.
[[nodiscard]] int code_filter(deflate::Decisions& decisions, int filter, int foretold);

}  // namespace logpx::archive
