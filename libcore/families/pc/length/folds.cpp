#include "libcore/families/pc/length/folds.hpp"

#include "libcore/base/index.hpp"
#include "libcore/data/example_dims.hpp"
#include "libcore/data/row_store.hpp"

namespace logpx::pc {

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
  for (const std::int64_t row : rows) append_row({all.rows, row}, some.rows);
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
      append_row({all.rows, rows[i]}, (part_of[i] == f ? folds[f].held : folds[f].train).rows);
  }
  return folds;
}

}  // namespace logpx::pc
