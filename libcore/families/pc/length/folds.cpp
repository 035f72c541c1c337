#include "libcore/families/pc/length/folds.hpp"

#include "libcore/base/index.hpp"
#include "libcore/data/example_dims.hpp"

namespace logpx::pc {
namespace {

void add_row(const Rows& from, std::int64_t row, std::size_t bytes, HeldRows& to) {
  const auto begin = from.x.begin() + static_cast<std::ptrdiff_t>(at(row) * bytes);
  to.rows.x.insert(to.rows.x.end(), begin, begin + static_cast<std::ptrdiff_t>(bytes));
  if (!from.length.empty()) to.rows.length.push_back(from.length[at(row)]);
  ++to.rows.count;
}

}  // namespace

std::vector<std::int64_t> telling_rows(const Examples& all) {
  const std::vector<std::int64_t> dims = example_dims(all.info, all.rows);
  std::vector<std::int64_t> telling;
  for (std::int64_t row = 0; row < all.rows.count; ++row)
    if (dims.empty() || dims[at(row)] > 0) telling.push_back(row);
  return telling;
}

HeldRows rows_of(const Examples& all, std::span<const std::int64_t> rows) {
  HeldRows some;
  some.info = all.info;
  for (const std::int64_t row : rows) add_row(all.rows, row, all.info.row_bytes(), some);
  return some;
}

std::vector<Fold> folds_of(const Examples& all, std::span<const std::int64_t> rows,
                           const FoldForm& form, const Rng& rng) {
  const std::vector<std::uint32_t> order =
      permutation(static_cast<std::uint32_t>(rows.size()), rng.stream(Stream::subsets));
  std::vector<std::size_t> part_of(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) part_of[order[i]] = i * form.parts / rows.size();
  std::vector<Fold> folds(form.count);
  for (std::size_t f = 0; f < form.count; ++f) {
    folds[f].train.info = folds[f].held.info = all.info;
    for (std::size_t i = 0; i < rows.size(); ++i)
      add_row(all.rows, rows[i], all.info.row_bytes(),
              part_of[i] == f ? folds[f].held : folds[f].train);
  }
  return folds;
}

}  // namespace logpx::pc
