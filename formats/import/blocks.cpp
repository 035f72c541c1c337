#include "formats/import/blocks.hpp"

#include <algorithm>
#include <cstring>

namespace logpx {
BlockCutter::BlockCutter(std::int64_t block, Element element, ShortBlocks short_blocks)
    : block_(static_cast<std::size_t>(block)),
      width_(element_size(element)),
      short_blocks_(short_blocks) {}

void BlockCutter::put(std::uint16_t symbol) {
  std::byte bytes[2];
  if (width_ == 2) std::memcpy(bytes, &symbol, 2);
  else bytes[0] = static_cast<std::byte>(symbol);
  rows_.x.insert(rows_.x.end(), bytes, bytes + width_);
  if (++filled_ == block_) flush();
}

void BlockCutter::put_bytes(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const std::size_t count = std::min(bytes.size(), block_ - filled_);
    rows_.x.insert(rows_.x.end(), bytes.begin(),
                   bytes.begin() + static_cast<std::ptrdiff_t>(count));
    filled_ += count;
    bytes = bytes.subspan(count);
    if (filled_ == block_) flush();
  }
}

void BlockCutter::flush() {
  if (filled_ == 0) return;
  const bool is_short = filled_ < block_;
  if (is_short && short_blocks_ == ShortBlocks::drop) {
    rows_.x.resize(rows_.x.size() - filled_ * width_);
    dropped_ += static_cast<std::int64_t>(filled_);
  } else {
    rows_.x.resize(rows_.x.size() + (block_ - filled_) * width_);
    rows_.length.push_back(static_cast<std::int32_t>(filled_));
    ++rows_.count;
    ++blocks_;
    any_short_ = any_short_ || is_short;
  }
  filled_ = 0;
}

bool BlockCutter::is_ready() const {
  return rows_.count > 0 && rows_.x.size() >= RowStream::chunk_bytes;
}

Rows BlockCutter::take() {
  Rows finished = std::move(rows_);
  rows_ = {};
  const auto whole = finished.x.end() - static_cast<std::ptrdiff_t>(filled_ * width_);
  rows_.x.assign(whole, finished.x.end());
  finished.x.erase(whole, finished.x.end());
  if (short_blocks_ == ShortBlocks::drop) finished.length.clear();  // all are full
  return finished;
}

}  // namespace logpx
