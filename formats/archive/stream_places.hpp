// Where in some bytes a DEFLATE stream may begin, by what stands before it.
#pragma once

#include "formats/archive/recipe.hpp"

namespace logpx::archive {

// What begins there; more: it cannot be said before more bytes have come.
enum class PlaceKind { none, more, stream, picture, directory };
struct StreamPlace {
  PlaceKind kind = PlaceKind::none;
  std::size_t at = 0;            // the stream, the picture's signature, or what is not complete
  Layer layer = Layer::deflate;  // what a check sum behind the stream would be
  std::size_t entry = 0;         // bytes before the stream that begin an entry of a zip file
};
// The first place at or after `from`. A stream stands behind the header of gzip, of an entry of a
// zip file or of zlib; a picture is a PNG; a directory that of a zip file.
[[nodiscard]] StreamPlace find_stream(ByteView bytes, std::size_t from);

}  // namespace logpx::archive
