#include "formats/import/tiles.hpp"

#include "formats/import/array.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/stop.hpp"

#include <algorithm>
#include <utility>

namespace logpx {
namespace {

class TiledPictures final : public Importer {
 public:
  TiledPictures(std::unique_ptr<Importer> pictures, const ImportOptions& options)
      : pictures_(std::move(pictures)), size_(asked_size(options)), side_(options.tile) {
    describe();
  }

  [[nodiscard]] bool next(Rows& rows) override {
    rows = {};
    Rows whole;
    const bool more = pictures_->next(whole);
    describe();
    if (!more) return false;
    const std::size_t bytes = pictures_->info().row_bytes();
    for (std::int64_t i = 0; i < whole.count; ++i) {
      stop::check();
      const auto pixels =
          whole.values<std::uint8_t>().subspan(static_cast<std::size_t>(i) * bytes, bytes);
      take(picture_of(pixels), whole, i, rows);
    }
    made_ += rows.count;
    info_.n = made_;
    return true;
  }

  [[nodiscard]] ImportRecord finish_inputs() override {
    ImportRecord record = finish_inputs_of(*pictures_);
    if (left_over_ > 0)
      record.notes.push_back(std::to_string(left_over_) + " pixels at the edges are in no tile");
    return record;
  }

 private:
  // The description of the pictures, except for their size.
  void describe() {
    const DatasetInfo& source = pictures_->info();
    if (source.content != Content::image)
      fail(ErrorKind::usage, size_.width > 0 ? "--size" : "--tile",
           std::string("is for pictures; these are ") + word_of(source.content),
           "--shape H,W,C makes pictures of them");
    info_ = source;
    const std::int64_t width = size_.width > 0 ? size_.width : source.shape[1],
                       height = size_.width > 0 ? size_.height : source.shape[0];
    info_.shape = {height, width, source.shape[2]};
    info_.n = made_;
    if (side_ == 0) {
      info_.n = source.n;
      return;
    }
    if (side_ > std::min(width, height))
      fail(ErrorKind::data, "",
           "the pictures are " + std::to_string(width) + 'x' + std::to_string(height) +
               ", smaller than --tile " + std::to_string(side_));
    info_.shape = {side_, side_, source.shape[2]};
  }

  [[nodiscard]] Raster picture_of(std::span<const std::uint8_t> pixels) const {
    const std::vector<std::int64_t>& shape = pictures_->info().shape;
    Raster picture{.width = shape[1], .height = shape[0], .channels = shape[2], .pixels = {}};
    picture.pixels.assign(pixels.begin(), pixels.end());
    if (size_.width == 0) return picture;
    return crop_to(picture, size_.width, size_.height);
  }

  void take(const Raster& picture, const Rows& whole, std::int64_t number, Rows& rows) {
    const auto i = static_cast<std::size_t>(number);
    const auto put = [&](const Raster& part) {
      const std::span<const std::byte> bytes = std::as_bytes(std::span(part.pixels));
      rows.x.insert(rows.x.end(), bytes.begin(), bytes.end());
      if (!whole.y.empty()) rows.y.push_back(whole.y[i]);
      if (!whole.source.empty()) rows.source.push_back(whole.source[i]);
      ++rows.count;
    };
    if (side_ == 0) return put(picture);
    for (const Raster& tile : tiles_of(picture, side_)) put(tile);
    left_over_ += pixels_left_over(picture.width, picture.height, side_);
  }

  std::unique_ptr<Importer> pictures_;
  Rectangle size_;
  std::int64_t side_, made_ = 0, left_over_ = 0;
};

}  // namespace

Rectangle asked_size(const ImportOptions& options) {
  if (options.size.empty()) return {};
  const auto size = parse_extent(options.size);
  if (!size || size->width > max_side || size->height > max_side)
    fail(ErrorKind::usage, "--size", "'" + options.size + "' is not WxH, such as 64x64");
  return {0, 0, size->width, size->height};
}

Raster crop_to(const Raster& picture, std::int64_t width, std::int64_t height) {
  return area_average(cut(picture, centre_crop(picture, width, height)), width, height);
}

std::vector<Raster> tiles_of(const Raster& picture, std::int64_t side) {
  std::vector<Raster> tiles;
  for (std::int64_t y = 0; y + side <= picture.height; y += side)
    for (std::int64_t x = 0; x + side <= picture.width; x += side)
      tiles.push_back(cut(picture, {x, y, side, side}));
  return tiles;
}

std::int64_t pixels_left_over(std::int64_t width, std::int64_t height, std::int64_t side) {
  return width * height - (width / side) * (height / side) * side * side;
}

std::unique_ptr<Importer> with_tiles(std::unique_ptr<Importer> pictures,
                                     const ImportOptions& options) {
  if (options.tile == 0 && options.size.empty()) return pictures;
  return std::make_unique<TiledPictures>(std::move(pictures), options);
}

}  // namespace logpx
