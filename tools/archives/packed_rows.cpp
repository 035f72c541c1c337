#include "tools/archives/packed_rows.hpp"

#include <algorithm>

namespace logpx::compress {
namespace {

using archive::BlockView, archive::ByteVector, archive::ByteView;

// visit(rows, samples of a row) for each run of rasters.
template <typename Visit>
void each_shape(const BlockView& view, const Visit& visit) {
  for (const auto& [shape, count] : view.rasters) {
    const std::int64_t rasters = count == 0 ? view.bytes / shape.size() : count;
    visit(static_cast<std::size_t>(rasters * shape.height),
          static_cast<std::size_t>(shape.width * shape.channels));
  }
}

}  // namespace

bool can_be_packed(const BlockView& view) {
  std::uint64_t samples = 0;
  each_shape(view, [&](std::size_t rows, std::size_t row) { samples += rows * row; });
  return samples == view.bytes && samples > 0;
}

std::size_t packed_bytes(const BlockView& view) {
  std::size_t bytes = 0;
  each_shape(view, [&](std::size_t rows, std::size_t row) { bytes += rows * ((row + 7) / 8); });
  return bytes;
}

ByteVector pack_rows(ByteView samples, const BlockView& view) {
  ByteVector packed(packed_bytes(view));
  std::size_t from = 0, to = 0;
  each_shape(view, [&](std::size_t rows, std::size_t row) {
    for (; rows > 0; --rows, from += row, to += (row + 7) / 8)
      for (std::size_t i = 0; i < row; ++i)
        packed[to + i / 8] |= (samples[from + i] & std::byte{1}) << (7 - i % 8);
  });
  return packed;
}

ByteVector unpack_rows(ByteView packed, const BlockView& view) {
  ByteVector samples(view.bytes);
  std::size_t from = 0, to = 0;
  each_shape(view, [&](std::size_t rows, std::size_t row) {
    for (; rows > 0; --rows, from += (row + 7) / 8, to += row)
      for (std::size_t i = 0; i < row; ++i)
        samples[to + i] = packed[from + i / 8] >> (7 - i % 8) & std::byte{1};
  });
  return samples;
}

}  // namespace logpx::compress
