#include "libcore/grad/arena.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>

namespace logpx {
namespace {

constexpr std::int64_t alignment = 16;

std::int64_t padded(std::int64_t elements) {
  return (elements + alignment - 1) / alignment * alignment;
}

bool overlap(const Plan::Buffer& a, const Plan::Buffer& b) {
  return a.first <= b.last && b.first <= a.last;
}

// The smallest gap that holds `size` among the occupied stretches, else the end.
std::int64_t best_gap(std::vector<std::pair<std::int64_t, std::int64_t>>& occupied,
                      std::int64_t size) {
  std::sort(occupied.begin(), occupied.end());
  std::int64_t best = -1, best_size = std::numeric_limits<std::int64_t>::max(), end = 0;
  for (const auto& [begin, stop] : occupied) {
    const std::int64_t gap = begin - end;
    if (gap >= size && gap < best_size) {
      best = end;
      best_size = gap;
    }
    end = std::max(end, stop);
  }
  return best >= 0 ? best : end;
}

}  // namespace

void place_buffers(std::vector<Plan::Buffer>& buffers, Reuse reuse) {
  std::vector<std::size_t> order(buffers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return buffers[a].elements > buffers[b].elements;
  });
  std::vector<std::size_t> placed;
  std::int64_t end = 0;
  for (const std::size_t index : order) {
    Plan::Buffer& buffer = buffers[index];
    const std::int64_t size = padded(buffer.elements);
    if (reuse == Reuse::nothing) {
      buffer.offset = end;
      end += size;
      continue;
    }
    std::vector<std::pair<std::int64_t, std::int64_t>> occupied;
    for (const std::size_t other : placed)
      if (overlap(buffers[other], buffer))
        occupied.emplace_back(buffers[other].offset,
                              buffers[other].offset + padded(buffers[other].elements));
    buffer.offset = best_gap(occupied, size);
    if (size > 0) placed.push_back(index);
  }
}

}  // namespace logpx
