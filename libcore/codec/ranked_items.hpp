// A growing or shrinking set of items with repeats, in ascending order of their bytes: which rank
// an item has, and which item a rank is.   [codec/README 4.8]
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace logpx::codec {

class RankedItems {
 public:
  explicit RankedItems(std::size_t item_size) : item_size_(item_size) {}

  // How many items come before those of one kind, and how many of that kind there are.
  struct Place {
    std::uint32_t before = 0, equal = 0;
  };
  // Where the item is among those that are there now.
  Place add(std::span<const std::uint8_t> item);
  // Takes out the item of a rank; where it was.
  Place take(std::uint32_t rank, std::span<std::uint8_t> item);
  // All of them, ascending.
  void copy_to(std::span<std::uint8_t> items) const;

 private:
  // Equal items, of which one is kept.
  struct Kind {
    std::uint32_t number = 0, count = 0;
  };
  struct Chunk {
    std::vector<Kind> kinds;
    std::uint32_t items = 0;
  };
  [[nodiscard]] std::span<const std::uint8_t> item_of(const Kind& kind) const;
  [[nodiscard]] std::size_t chunk_for(std::span<const std::uint8_t> item) const;
  [[nodiscard]] std::uint32_t before(std::size_t chunk, std::size_t kind) const;
  void divide(std::size_t chunk);

  std::size_t item_size_;
  std::vector<std::uint8_t> bytes_;  // of each kind that ever was there
  std::vector<Chunk> chunks_;        // none is empty
};

}  // namespace logpx::codec
