// A run of symbols cut into blocks of L; a block that ends early is padded with zeros and its
// length says so.
#pragma once

#include "libcore/data/dataset.hpp"

#include <cstdint>
#include <span>

namespace logpx {

enum class ShortBlocks { keep, drop };

class BlockCutter {
 public:
  BlockCutter(std::int64_t block, Element element, ShortBlocks short_blocks);

  void put(std::uint16_t symbol);
  void put_bytes(std::span<const std::byte> bytes);  // of an alphabet of 256
  // Ends the current block, full or not.
  void flush();

  [[nodiscard]] std::int64_t blocks() const {
    return blocks_;
  }  // finished, dropped ones not counted
  [[nodiscard]] std::int64_t dropped() const { return dropped_; }  // symbols of dropped blocks
  [[nodiscard]] bool any_short() const { return any_short_; }
  [[nodiscard]] bool is_ready() const;  // a chunk's worth of blocks is finished
  [[nodiscard]] Rows take();            // the finished blocks so far

 private:
  std::size_t block_, width_;
  ShortBlocks short_blocks_;
  Rows rows_;
  std::size_t filled_ = 0;  // symbols of the block being filled, at the end of rows_.x
  std::int64_t blocks_ = 0, dropped_ = 0;
  bool any_short_ = false;
};

}  // namespace logpx
