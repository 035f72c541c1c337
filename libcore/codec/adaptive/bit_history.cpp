#include "libcore/codec/adaptive/bit_history.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

namespace logpx::codec::adaptive {
namespace {

struct Counts {
  std::array<int, 2> seen = {0, 0};
  int last = 0;

  [[nodiscard]] int all() const { return seen[0] + seen[1]; }
  [[nodiscard]] auto key() const { return std::tuple(all(), seen[0], seen[1], last); }
};

// The most that the larger count may be when the smaller one is 0, 1, 2 ...
constexpr std::array most_beside = {longest_run, 24, 12, 9, 7, 6};

bool allowed(const Counts& counts) {
  const auto [less, more] = std::minmax(counts.seen[0], counts.seen[1]);
  return less < std::ssize(most_beside) && more <= most_beside[static_cast<std::size_t>(less)];
}

// One more of `bit`. The other count loses half of what it has above 2.
Counts after(Counts counts, int bit) {
  int& same = counts.seen[static_cast<std::size_t>(bit)];
  int& other = counts.seen[static_cast<std::size_t>(1 - bit)];
  if (other > 2) other = other / 2 + 1;
  ++same;
  while (!allowed(counts)) --(same > other ? same : other);
  counts.last = bit;
  return counts;
}

}  // namespace

BitHistories::BitHistories() {
  std::map<decltype(Counts().key()), Counts> reached;
  std::vector<Counts> open = {Counts()};
  while (!open.empty()) {
    const Counts counts = open.back();
    open.pop_back();
    if (!reached.emplace(counts.key(), counts).second) continue;
    for (const int bit : {0, 1}) open.push_back(after(counts, bit));
  }
  std::map<decltype(Counts().key()), std::uint8_t> number;
  for (const auto& [key, counts] : reached) {
    const auto i = static_cast<std::uint32_t>(number.size());
    number.emplace(key, static_cast<std::uint8_t>(i));
    chance[i] = static_cast<std::uint32_t>(
        ((std::uint64_t{5} * static_cast<std::uint64_t>(counts.seen[1]) + 2) << 22) /
        (std::uint64_t{5} * static_cast<std::uint64_t>(counts.all()) + 4));
  }
  count = static_cast<int>(number.size());
  next = {};
  for (const auto& [key, counts] : reached)
    for (const std::size_t bit : {0, 1})
      next[bit][number.at(key)] = number.at(after(counts, static_cast<int>(bit)).key());
  for (const std::size_t bit : {0, 1}) {
    run[bit][0] = 0;
    for (std::size_t n = 1; n < run[bit].size(); ++n) run[bit][n] = next[bit][run[bit][n - 1]];
  }
  std::fill(chance.begin() + count, chance.end(), 1u << 21);
}

const BitHistories bit_histories;

}  // namespace logpx::codec::adaptive
