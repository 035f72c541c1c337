// The pixels of a PNG, unfolded: its IDAT chunks are one stream, its rows lose their filters.
#pragma once

#include "formats/archive/png_file.hpp"
#include "formats/archive/unfolded.hpp"

#include <vector>

namespace logpx::archive {

// The IDAT chunks of the PNG that some bytes begin with.
struct PngStreams {
  // none: it is damaged, too large, or cut into chunks of many sizes.
  enum class State { none, more, whole };
  State state = State::none;
  PngPixels head = {};  // without pixels
  bool interlaced = false;
  std::size_t begin = 0, end = 0;  // the chunks
  std::size_t chunk = 0;           // bytes of each but the last
  ByteVector stream = {};          // joined
};
[[nodiscard]] PngStreams find_png_streams(ByteView bytes);

// In the place of its chunks: the pixels, or at least the rows; empty if neither pays.
[[nodiscard]] std::vector<Unfolded> unfold_png(const PngStreams& png, std::size_t depth,
                                               UnfoldBudget& budget);

}  // namespace logpx::archive
