// How a file is made of what lies in it: steps of a machine with a stack. Bytes that are put when
// no layer is open are the file's; else they are content of the innermost layer, which makes of
// them bytes of the layer below. So a picture in an archive in an archive is nothing special.
// [logpx-archive(5)]
#pragma once

#include "formats/archive/layout.hpp"
#include "formats/deflate/parameters.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace logpx::archive {

// deflate: a raw stream; zlib and gzip: the same with the check sum of the content behind it.
// chunks:  IDAT chunks of PNG, with their lengths and check sums.
// rows:    rows of PNG, which it filters.
// entry:   an entry of a zip file, as it is, of which is noted what the directory repeats.
// directory: headers of its directory, less what was noted.
enum class Layer : std::uint8_t { deflate, zlib, gzip, chunks, rows, entry, directory };
[[nodiscard]] constexpr bool is_stream(Layer layer) { return layer <= Layer::gzip; }

// Streams in streams; what lies deeper stays as it is.
constexpr std::size_t most_streams = 4;
// Decisions (formats/deflate) are coded together for all streams that lie equally deep, and for all
// rows: a channel for each.
constexpr std::size_t row_channel = most_streams, channels = most_streams + 1;

struct RecipeStep {
  // stop: the innermost layer, a stream, ends here unfinished; its rest follows as it is.
  enum class What : std::uint8_t { bytes, rasters, close, stop, open };
  What what = What::bytes;
  std::uint64_t bytes = 0;  // of content, for bytes and rasters
  RasterShape shape = {};   // of rasters
  Layer layer = {};         // that is opened
  std::uint32_t how = 0;    // the parameters of a stream, for lists
  std::uint64_t size = 0;   // of chunks, but for the last; of a row
  std::uint32_t pixel = 1;  // of rows: bytes from a sample to the next one of its kind
  bool least_sums = false;  // of rows: foretold filters are those of the least sum, not the last

  friend bool operator==(const RecipeStep&, const RecipeStep&) = default;
};

// The part of a member that lies in one run.
struct Recipe {
  std::vector<RecipeStep> steps;
  std::uint64_t file_bytes = 0;  // that the steps stand for
  friend bool operator==(const Recipe&, const Recipe&) = default;
};
[[nodiscard]] std::uint64_t content_bytes(const Recipe& recipe);

// The parameters of a stream as one number, and back.
[[nodiscard]] std::uint32_t number_of(const deflate::Parameters& parameters);
[[nodiscard]] deflate::Parameters parameters_of(std::uint32_t number);

void write_recipe(WireWriter& out, const Recipe& recipe);
// A data error for a step that there cannot be, or for more than `steps_left`.
[[nodiscard]] Recipe read_recipe(WireReader& in, std::uint64_t& steps_left);

// Which layers are open: a data error for steps that do not follow.
class OpenLayers {
 public:
  void follow(const RecipeStep& step);
  [[nodiscard]] std::size_t height() const { return layers_.size(); }
  [[nodiscard]] std::size_t streams() const;

 private:
  std::vector<Layer> layers_;
};

}  // namespace logpx::archive
