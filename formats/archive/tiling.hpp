// Rasters of any size to items of one size: groups of rasters are cut into tiles from the top left,
// row by row; the rest at the right and below follows all tiles of its group. The order is a
// permutation of a group's samples that both sides know from the shapes alone.
// [logpx-archive(5)]
#pragma once

#include "formats/archive/layout.hpp"

#include <cstdint>
#include <optional>

namespace logpx::archive {

// The shape that a model codes, or that the fallback coder works on without a model.
struct ItemShape {
  RasterShape shape;
  std::int64_t levels = 256;
};

class Tiling {
 public:
  // `item` must fit (tiles_fit). Groups have about `block_items` items, and at least one raster.
  Tiling(const RasterShape& raster, const RasterShape& item, std::int64_t block_items);

  [[nodiscard]] std::int64_t group_rasters() const { return group_; }
  [[nodiscard]] std::int64_t tiles() const { return down_ * across_; }  // of one raster
  // How many of the samples of `rasters` rasters are tiles.
  [[nodiscard]] std::int64_t tiled_samples(std::int64_t rasters) const {
    return rasters * tiles() * item_.size();
  }
  // Whether the two orders are the same.
  [[nodiscard]] bool in_order() const { return tiles() == 1 && item_.size() == raster_.size(); }
  [[nodiscard]] ByteVector arrange(ByteView samples) const;  // whole rasters, in file order
  [[nodiscard]] ByteVector restore(ByteView arranged) const;

 private:
  template <typename Visit>
  void each_run(std::int64_t rasters, const Visit& visit) const;
  RasterShape raster_, item_;
  std::int64_t down_, across_, group_;
};

// Whether rasters of this shape hold such an item. An item of one row with all samples of a raster
// takes the raster as a vector.
[[nodiscard]] bool tiles_fit(const RasterShape& raster, const RasterShape& item);

}  // namespace logpx::archive
