#include "formats/deflate/trees.hpp"

#include "libcore/base/error.hpp"

#include <algorithm>

namespace logpx::deflate {

namespace {

// The heap of [zlib, trees.c], whose order of equal trees decides who gets the longer code. Nodes
// below `symbols` are leaves.
class ZlibHeap {
 public:
  explicit ZlibHeap(std::span<const std::uint32_t> counts)
      : symbols_(static_cast<int>(counts.size())) {
    for (int i = 0; i < symbols_; ++i) {
      weight_[i] = counts[static_cast<std::size_t>(i)];
      if (weight_[i] != 0) heap_[++size_] = last_ = i;
    }
    while (size_ < 2) {
      const int forced = last_ < 2 ? ++last_ : 0;
      weight_[forced] = 1;
      heap_[++size_] = forced;
    }
    for (int i = size_ / 2; i >= 1; --i) sink(i);
  }
  [[nodiscard]] int last() const { return last_; }

  // Joins the two lightest until one is left.
  void build() {
    int node = symbols_;
    do {
      const int first = heap_[1];
      heap_[1] = heap_[size_--];
      sink(1);
      const int second = heap_[1];
      place(first);
      place(second);
      weight_[node] = weight_[first] + weight_[second];
      depth_[node] = static_cast<std::uint8_t>(std::max(depth_[first], depth_[second]) + 1);
      parent_[first] = parent_[second] = node;
      heap_[1] = node++;
      sink(1);
    } while (size_ >= 2);
    place(heap_[1]);
  }

  // Lengths of leaves, at most `longest`.
  void lengths(int longest, std::span<std::uint8_t> out) {
    std::array<int, longest_code + 2> of_length{};
    int too_long = 0;
    for (int i = 1; i < placed_; ++i) {
      const int node = node_at(i);
      int length = length_[parent_[node]] + 1;
      if (length > longest) length = longest, ++too_long;
      length_[node] = length;
      if (node < symbols_) ++of_length[static_cast<std::size_t>(length)];
    }
    if (too_long > 0) repair(longest, too_long, of_length);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = 0;
    for (int i = 0; i < placed_; ++i) {
      const int node = node_at(i);
      if (node < symbols_)
        out[static_cast<std::size_t>(node)] = static_cast<std::uint8_t>(length_[node]);
    }
  }

 private:
  static constexpr int most_nodes = 2 * static_cast<int>(literal_symbols) + 2;

  [[nodiscard]] bool lighter(int a, int b) const {
    return weight_[a] < weight_[b] || (weight_[a] == weight_[b] && depth_[a] <= depth_[b]);
  }
  void sink(int at) {
    const int node = heap_[at];
    for (int child = 2 * at; child <= size_; child *= 2) {
      if (child < size_ && lighter(heap_[child + 1], heap_[child])) ++child;
      if (lighter(node, heap_[child])) break;
      heap_[at] = heap_[child];
      at = child;
    }
    heap_[at] = node;
  }
  void place(int node) { order_[placed_++] = node; }
  // The last placed is the root.
  [[nodiscard]] int node_at(int index) const { return order_[placed_ - 1 - index]; }

  // Moves leaves down from shorter codes until those that were cut have room, then gives the
  // longest codes to the lightest leaves.
  void repair(int longest, int too_long, std::array<int, longest_code + 2>& of_length) {
    const auto count = [&](int length) -> int& {
      return of_length[static_cast<std::size_t>(length)];
    };
    for (; too_long > 0; too_long -= 2) {
      int length = longest - 1;
      while (count(length) == 0) --length;
      --count(length);
      count(length + 1) += 2;
      --count(longest);
    }
    int at = placed_;
    for (int length = longest; length != 0; --length)
      for (int left = count(length); left != 0;) {
        const int node = node_at(--at);
        if (node >= symbols_) continue;
        length_[node] = length;
        --left;
      }
  }

  int symbols_, size_ = 0, last_ = -1, placed_ = 0;
  std::array<std::uint32_t, most_nodes> weight_{};
  std::array<std::uint8_t, most_nodes> depth_{};
  std::array<int, most_nodes> heap_{}, order_{}, parent_{}, length_{};
};

unsigned equal_from(const Trees& trees, std::size_t index, std::size_t end) {
  std::size_t stop = index + 1;
  while (stop < end && trees.length(stop) == trees.length(index)) ++stop;
  return static_cast<unsigned>(stop - index);
}

std::uint64_t symbol_bits(std::span<const std::uint32_t> counts,
                          std::span<const std::uint8_t> lengths, std::size_t first,
                          unsigned (*extra)(unsigned)) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const unsigned more = i < first ? 0 : extra(static_cast<unsigned>(i - first));
    bits += std::uint64_t{counts[i]} * (lengths[i] + more);
  }
  return bits;
}

}  // namespace

std::size_t zlib_lengths(std::span<const std::uint32_t> counts, unsigned longest,
                         std::span<std::uint8_t> lengths) {
  ZlibHeap heap(counts);
  heap.build();
  heap.lengths(static_cast<int>(longest), lengths);
  return static_cast<std::size_t>(heap.last()) + 1;
}

// Runs do not go from literals to distances. After another length the first of a run is written
// alone; what is left of it comes in sixes, or in 138 for zeros.
Run zlib_run(const Trees& trees, std::size_t index) {
  const std::size_t start = index < trees.literals ? 0 : trees.literals;
  const std::size_t end =
      start == 0 ? trees.literals : trees.literals + std::size_t{trees.distances};
  const std::uint8_t length = trees.length(index);
  const unsigned same = equal_from(trees, index, end);
  if (length == 0) {
    const unsigned run = std::min(same, 138u);
    if (run < 3) return {0, 0};
    return run <= 10 ? Run{17, static_cast<std::uint8_t>(run - 3)}
                     : Run{18, static_cast<std::uint8_t>(run - 11)};
  }
  const bool repeats = index > start && trees.length(index - 1) == length;
  if (!repeats || same < 3) return {length, 0};
  return {16, static_cast<std::uint8_t>(std::min(same, 6u) - 3)};
}

std::uint16_t least_run_count(const Trees& trees) {
  std::uint16_t count = run_symbols;
  while (count > 4 && trees.run_lengths[run_order[count - 1u]] == 0) --count;
  return count;
}

void set_run_code(Trees& trees) {
  std::array<std::uint32_t, run_symbols> counts{};
  for (const Run run : trees.runs) ++counts[run.symbol];
  zlib_lengths(counts, longest_run_code, trees.run_lengths);
  trees.run_count = least_run_count(trees);
}

Trees zlib_trees(const SymbolCounts& counts) {
  Trees trees;
  trees.literals = static_cast<std::uint16_t>(
      zlib_lengths(counts.literals, longest_code, trees.literal_lengths));
  trees.distances = static_cast<std::uint16_t>(
      zlib_lengths(counts.distances, longest_code, trees.distance_lengths));
  const std::size_t all = trees.literals + std::size_t{trees.distances};
  for (std::size_t i = 0; i < all; i += run_size(trees.runs.back()))
    trees.runs.push_back(zlib_run(trees, i));
  set_run_code(trees);
  return trees;
}

const Trees& fixed_trees() {
  static const Trees fixed = [] {
    Trees trees;
    for (std::size_t i = 0; i < literal_codes; ++i)
      trees.literal_lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    trees.distance_lengths.fill(5);
    return trees;
  }();
  return fixed;
}

std::uint64_t block_bits(const SymbolCounts& counts, const Trees& trees) {
  return symbol_bits(counts.literals, trees.literal_lengths, first_length_symbol, length_bits) +
         symbol_bits(counts.distances, trees.distance_lengths, 0, distance_bits);
}

std::uint64_t description_bits(const Trees& trees) {
  std::uint64_t bits = 5 + 5 + 4 + 3u * trees.run_count;
  for (const Run run : trees.runs) bits += trees.run_lengths[run.symbol] + run_bits(run.symbol);
  return bits;
}

void canonical_codes(std::span<const std::uint8_t> lengths, std::span<std::uint16_t> codes) {
  std::array<unsigned, longest_code + 1> of_length{}, next{};
  for (const std::uint8_t length : lengths) ++of_length[length];
  of_length[0] = 0;
  for (unsigned length = 1; length <= longest_code; ++length) {
    next[length] = (next[length - 1] + of_length[length - 1]) << 1;
    if (next[length] + of_length[length] > 1u << length)
      fail(ErrorKind::data, "DEFLATE stream", "a code has more symbols than its lengths allow");
  }
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    if (lengths[i] == 0) continue;
    unsigned code = next[lengths[i]]++, reversed = 0;
    for (unsigned bit = 0; bit < lengths[i]; ++bit, code >>= 1)
      reversed = reversed << 1 | (code & 1);
    codes[i] = static_cast<std::uint16_t>(reversed);
  }
}

}  // namespace logpx::deflate
