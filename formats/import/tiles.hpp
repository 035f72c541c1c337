// Pictures of any format resized and cut into tiles.
//
//   for (const Raster& tile : tiles_of(crop_to(picture, 32, 32), 8)) put(tile);
#pragma once

#include "formats/import/importer.hpp"
#include "formats/import/raster.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace logpx {

// Width and height of --size; 0 x 0 without it.
[[nodiscard]] Rectangle asked_size(const ImportOptions& options);
// The largest rectangle in the middle with these proportions, averaged to width x height.
[[nodiscard]] Raster crop_to(const Raster& picture, std::int64_t width, std::int64_t height);
// Squares from the top left, row by row; a remainder at the right and below is in no tile.
[[nodiscard]] std::vector<Raster> tiles_of(const Raster& picture, std::int64_t side);
// Pixels that are in no tile.
[[nodiscard]] std::int64_t pixels_left_over(std::int64_t width, std::int64_t height,
                                            std::int64_t side);

// The pictures of an importer after --size and --tile; without these the importer itself. A usage
// error where it gives no pictures, a data error where they are smaller than a tile.
[[nodiscard]] std::unique_ptr<Importer> with_tiles(std::unique_ptr<Importer> pictures,
                                                   const ImportOptions& options);

}  // namespace logpx
