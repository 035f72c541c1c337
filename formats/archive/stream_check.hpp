// The check sum that follows a stream of zlib or gzip, of its content.
#pragma once

#include "formats/archive/recipe.hpp"

namespace logpx::archive {

class StreamCheck {
 public:
  explicit StreamCheck(Layer layer) : layer_(layer) {}
  void add(ByteView content);
  // None for a raw stream.
  [[nodiscard]] ByteVector bytes() const;
  [[nodiscard]] static std::size_t size_of(Layer layer) {
    return layer == Layer::gzip ? 8 : layer == Layer::zlib ? 4 : 0;
  }

 private:
  Layer layer_;
  std::uint32_t crc_ = 0, adler_ = 1;
  std::uint64_t size_ = 0;
};

}  // namespace logpx::archive
