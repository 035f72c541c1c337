#include "libcore/data/row_store.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"

#include <algorithm>

namespace logpx {
namespace {

constexpr std::int64_t chunk_bytes = std::int64_t{256} << 10;  // those of dataset files
constexpr std::int64_t share_of_memory = 3;                    // rows have one part in so many

// What training reads of a row.
Rows columns_of_steps(Rows rows) {
  Rows kept;
  kept.count = rows.count;
  kept.x = std::move(rows.x);
  kept.y = std::move(rows.y);
  kept.length = std::move(rows.length);
  return kept;
}

void clear(Rows& rows) {
  rows.count = 0;
  rows.x.clear();
  rows.y.clear();
  rows.length.clear();
}

std::int64_t rows_in_chunk(const DatasetInfo& info) {
  const auto row = static_cast<std::int64_t>(info.row_bytes());
  return std::max<std::int64_t>(1, chunk_bytes / std::max<std::int64_t>(1, row));
}

}  // namespace

std::int64_t bytes_of_rows(const DatasetInfo& info, std::int64_t rows) {
  std::int64_t row = static_cast<std::int64_t>(info.row_bytes()) + 4 * info.latent_dim;
  if (info.has_labels) row += 4;
  if (info.has_lengths) row += 4;
  if (info.has_true_logp) row += 8;
  if (info.has_source_rows) row += 8;
  return rows * row;
}

void append_row(const RowPlace& row, Rows& to) {
  const auto bytes = std::ssize(row.rows.x) / row.rows.count;
  const auto begin = row.rows.x.begin() + row.from * bytes;
  to.x.insert(to.x.end(), begin, begin + bytes);
  if (!row.rows.y.empty()) to.y.push_back(row.rows.y[at(row.from)]);
  if (!row.rows.length.empty()) to.length.push_back(row.rows.length[at(row.from)]);
  ++to.count;
}

RowChunks chunks_within(const DatasetInfo& info, std::int64_t rows, std::int64_t memory) {
  const std::int64_t room = memory / share_of_memory;
  if (bytes_of_rows(info, rows) <= room) return {};
  const std::int64_t in_chunk = rows_in_chunk(info);
  return {.rows = in_chunk,
          .held = std::max<std::int64_t>(1, room / bytes_of_rows(info, in_chunk))};
}

std::int64_t memory_for(const DatasetInfo& info, std::int64_t rows, RowChunks chunks) {
  return share_of_memory * bytes_of_rows(info, chunks.any() ? chunks.rows * chunks.held : rows);
}

std::int64_t RowStore::bytes() const {
  const std::int64_t rows = chunks_.any() ? chunks_.rows * chunks_.held : span_.count;
  return rows * static_cast<std::int64_t>(span_.info.row_bytes());
}

const Rows& RowStore::all() {
  LOGPX_ASSERT(!chunks_.any());
  const std::lock_guard lock(mutex_);
  if (!complete_) held_ = source_.read(span_.first, span_.first + span_.count);
  complete_ = true;
  return held_;
}

Rows RowStore::read(std::int64_t begin, std::int64_t end) {
  LOGPX_ASSERT(0 <= begin && begin <= end && end <= span_.count);
  if (!chunks_.any()) return slice_rows(all(), begin, end);
  const std::lock_guard lock(mutex_);
  return columns_of_steps(source_.read(span_.first + begin, span_.first + end));
}

void RowStore::hold(std::span<const std::int64_t> rows) {
  if (!chunks_.any()) return static_cast<void>(all());
  clear(held_);
  places_.clear();
  for (const std::int64_t row : rows) {
    places_.emplace_back(row, held_.count);
    append_row({chunk(row / chunks_.rows), row % chunks_.rows}, held_);
  }
  std::ranges::sort(places_);
}

RowPlace RowStore::at(std::int64_t row) const {
  if (!chunks_.any()) return {held_, row};
  const auto found = std::ranges::lower_bound(places_, std::pair(row, std::int64_t{0}));
  LOGPX_ASSERT(found != places_.end() && found->first == row);
  return {held_, found->second};
}

const Rows& RowStore::chunk(std::int64_t number) {
  const auto found = std::ranges::find(loaded_, number, &Chunk::number);
  const bool missing = found == loaded_.end();
  Chunk& chunk = missing ? free_chunk() : *found;
  if (missing) {
    const std::int64_t begin = number * chunks_.rows;
    chunk.rows = {};
    chunk.rows = read(begin, std::min(begin + chunks_.rows, span_.count));
    chunk.number = number;
  }
  chunk.used = ++uses_;
  return chunk.rows;
}

RowStore::Chunk& RowStore::free_chunk() {
  if (std::ssize(loaded_) < chunks_.held) return loaded_.emplace_back();
  return *std::ranges::min_element(loaded_, {}, &Chunk::used);
}

}  // namespace logpx
