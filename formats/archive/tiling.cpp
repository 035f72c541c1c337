#include "formats/archive/tiling.hpp"

#include <algorithm>

namespace logpx::archive {
namespace {

bool is_vector_of(const RasterShape& raster, const RasterShape& item) {
  return item.height == 1 && item.channels == 1 && item.width == raster.size();
}

}  // namespace

bool tiles_fit(const RasterShape& raster, const RasterShape& item) {
  return is_vector_of(raster, item) || (raster.channels == item.channels &&
                                        raster.height >= item.height && raster.width >= item.width);
}

Tiling::Tiling(const RasterShape& raster, const RasterShape& item, std::int64_t block_items)
    : raster_(raster), item_(item) {
  if (is_vector_of(raster, item)) raster_ = item_;
  down_ = raster_.height / item_.height;
  across_ = raster_.width / item_.width;
  group_ = std::max<std::int64_t>(1, block_items / tiles());
}

// visit(place in the file's order, place in ours, samples), in our order.
template <typename Visit>
void Tiling::each_run(std::int64_t rasters, const Visit& visit) const {
  const std::int64_t c = raster_.channels, row = raster_.width * c, run = item_.width * c;
  const std::int64_t right = across_ * run, below = down_ * item_.height;
  std::int64_t at = 0;
  const auto put = [&](std::int64_t from, std::int64_t count) {
    if (count > 0)
      visit(static_cast<std::size_t>(from), static_cast<std::size_t>(at),
            static_cast<std::size_t>(count));
    at += count;
  };
  for (std::int64_t n = 0; n < rasters; ++n)
    for (std::int64_t ty = 0; ty < down_; ++ty)
      for (std::int64_t tx = 0; tx < across_; ++tx)
        for (std::int64_t y = 0; y < item_.height; ++y)
          put(n * raster_.size() + (ty * item_.height + y) * row + tx * run, run);
  for (std::int64_t n = 0; n < rasters; ++n) {
    for (std::int64_t y = 0; y < below; ++y) put(n * raster_.size() + y * row + right, row - right);
    put(n * raster_.size() + below * row, raster_.size() - below * row);
  }
}

ByteVector Tiling::arrange(ByteView samples) const {
  if (in_order()) return {samples.begin(), samples.end()};
  ByteVector out(samples.size());
  each_run(static_cast<std::int64_t>(samples.size()) / raster_.size(),
           [&](std::size_t from, std::size_t to, std::size_t count) {
             std::copy_n(samples.data() + from, count, out.data() + to);
           });
  return out;
}

ByteVector Tiling::restore(ByteView arranged) const {
  if (in_order()) return {arranged.begin(), arranged.end()};
  ByteVector out(arranged.size());
  each_run(static_cast<std::int64_t>(arranged.size()) / raster_.size(),
           [&](std::size_t to, std::size_t from, std::size_t count) {
             std::copy_n(arranged.data() + from, count, out.data() + to);
           });
  return out;
}

}  // namespace logpx::archive
