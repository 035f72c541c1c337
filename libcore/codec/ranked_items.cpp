#include "libcore/codec/ranked_items.hpp"

#include <algorithm>
#include <iterator>

namespace logpx::codec {
namespace {

// Halved when it is full: what is walked through for a rank, and moved for a new item, is about as
// long for a million items.
constexpr std::size_t most_kinds = 2048;

bool comes_before(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b) {
  return std::ranges::lexicographical_compare(a, b);
}

}  // namespace

std::span<const std::uint8_t> RankedItems::item_of(const Kind& kind) const {
  return std::span(bytes_).subspan(kind.number * item_size_, item_size_);
}

// The last one that does not begin behind the item, or the first.
std::size_t RankedItems::chunk_for(std::span<const std::uint8_t> item) const {
  const auto behind =
      std::ranges::upper_bound(chunks_, item, comes_before,
                               [this](const Chunk& chunk) { return item_of(chunk.kinds.front()); });
  return behind == chunks_.begin() ? 0 : static_cast<std::size_t>(behind - chunks_.begin()) - 1;
}

std::uint32_t RankedItems::before(std::size_t chunk, std::size_t kind) const {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < chunk; ++i) sum += chunks_[i].items;
  for (std::size_t i = 0; i < kind; ++i) sum += chunks_[chunk].kinds[i].count;
  return sum;
}

void RankedItems::divide(std::size_t number) {
  std::vector<Kind>& kinds = chunks_[number].kinds;
  const auto middle = kinds.begin() + static_cast<std::ptrdiff_t>(kinds.size() / 2);
  Chunk upper{.kinds = {middle, kinds.end()}, .items = 0};
  for (const Kind& kind : upper.kinds) upper.items += kind.count;
  kinds.erase(middle, kinds.end());
  chunks_[number].items -= upper.items;
  chunks_.insert(chunks_.begin() + static_cast<std::ptrdiff_t>(number) + 1, std::move(upper));
}

RankedItems::Place RankedItems::add(std::span<const std::uint8_t> item) {
  if (chunks_.empty()) chunks_.emplace_back();
  std::size_t number = chunks_.size() == 1 ? 0 : chunk_for(item);
  if (chunks_[number].kinds.size() == most_kinds) {
    divide(number);
    number = chunk_for(item);
  }
  Chunk& chunk = chunks_[number];
  auto kind = std::ranges::lower_bound(chunk.kinds, item, comes_before,
                                       [this](const Kind& known) { return item_of(known); });
  if (kind == chunk.kinds.end() || !std::ranges::equal(item_of(*kind), item)) {
    const auto next = static_cast<std::uint32_t>(bytes_.size() / item_size_);
    bytes_.insert(bytes_.end(), item.begin(), item.end());
    kind = chunk.kinds.insert(kind, {.number = next, .count = 0});
  }
  ++kind->count;
  ++chunk.items;
  const auto at = static_cast<std::size_t>(kind - chunk.kinds.begin());
  return {.before = before(number, at), .equal = kind->count};
}

RankedItems::Place RankedItems::take(std::uint32_t rank, std::span<std::uint8_t> item) {
  std::uint32_t left = rank;
  auto chunk = chunks_.begin();
  for (; left >= chunk->items; ++chunk) left -= chunk->items;
  auto kind = chunk->kinds.begin();
  for (; left >= kind->count; ++kind) left -= kind->count;
  std::ranges::copy(item_of(*kind), item.begin());
  const Place place{.before = rank - left, .equal = kind->count};
  --chunk->items;
  if (--kind->count == 0) chunk->kinds.erase(kind);
  if (chunk->kinds.empty()) chunks_.erase(chunk);
  return place;
}

void RankedItems::copy_to(std::span<std::uint8_t> items) const {
  auto out = items.begin();
  for (const Chunk& chunk : chunks_)
    for (const Kind& kind : chunk.kinds)
      for (std::uint32_t i = 0; i < kind.count; ++i)
        out = std::ranges::copy(item_of(kind), out).out;
}

}  // namespace logpx::codec
