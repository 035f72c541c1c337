#include "formats/import/row_keys.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/rng.hpp"

#include <algorithm>
#include <numeric>

namespace logpx {

void RowKeys::add(const std::string& key) {
  const auto [place, is_new] = numbers_.try_emplace(key, static_cast<std::int32_t>(names_.size()));
  if (is_new) names_.push_back(key);
  of_row_.push_back(place->second);
}

std::vector<std::int64_t> RowKeys::order(std::optional<std::int64_t> seed) const {
  std::vector<std::uint32_t> rank(names_.size());
  std::iota(rank.begin(), rank.end(), 0U);
  if (seed)
    rank = permutation(static_cast<std::uint32_t>(rank.size()),
                       Rng(static_cast<std::uint64_t>(*seed)).stream(Stream::shuffle));
  std::vector<std::int64_t> rows(of_row_.size());
  std::iota(rows.begin(), rows.end(), std::int64_t{0});
  std::ranges::stable_sort(rows, {}, [&](std::int64_t row) { return rank[at(of_row_[at(row)])]; });
  return rows;
}

void RowKeys::give(std::int64_t row) {
  const std::int32_t key = of_row_[at(row)];
  if (given_.empty() || given_.back().key != key) given_.push_back({key, 0});
  ++given_.back().count;
}

std::vector<Split> RowKeys::splits() const {
  std::vector<Split> splits;
  std::int64_t begin = 0;
  for (const Given& one : given_) {
    splits.push_back({names_[at(one.key)], begin, begin + one.count});
    begin += one.count;
  }
  return splits;
}

std::vector<std::int64_t> RowKeys::ends() const {
  std::vector<std::int64_t> ends;
  for (const Split& split : splits()) ends.push_back(split.end);
  return ends;
}

std::vector<Split> end_at_groups(std::vector<Split> splits, const std::vector<std::int64_t>& ends) {
  if (ends.empty()) return splits;
  const auto nearest = [&](std::int64_t row) -> std::int64_t {
    const auto above = std::ranges::lower_bound(ends, row);
    const std::int64_t high = above == ends.end() ? ends.back() : *above,
                       low = above == ends.begin() ? 0 : *(above - 1);
    return row - low < high - row ? low : high;
  };
  for (Split& split : splits) {
    const bool had_rows = split.begin < split.end;
    split.begin = nearest(split.begin);
    split.end = nearest(split.end);
    if (had_rows && split.begin == split.end)
      fail(ErrorKind::data, "--split",
           "leaves no rows to " + split.name + ", since groups stay together",
           "give it a larger share, or leave out --group");
  }
  return splits;
}

}  // namespace logpx
