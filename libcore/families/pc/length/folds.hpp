// Rows held back from training, to judge what training is told: several parts in turn where there
// are few rows.   [pc/README 8]
#pragma once

#include "libcore/base/rng.hpp"
#include "libcore/model/task_data.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx::pc {

struct Fold {
  HeldRows train, held;
  [[nodiscard]] TaskData data() const {
    TaskData rows{.train = train.examples()};
    rows.valid.emplace(held.examples());
    return rows;
  }
};

// Rows with an observed value; others can neither train nor judge.
[[nodiscard]] std::vector<std::int64_t> telling_rows(const Examples& all);

// These rows alone.
[[nodiscard]] HeldRows rows_of(const Examples& all, std::span<const std::int64_t> rows);

// The first `count` folds of so many parts, in a random order of the rows.
struct FoldForm {
  std::size_t parts = 5, count = 1;
};
[[nodiscard]] std::vector<Fold> folds_of(const Examples& all, std::span<const std::int64_t> rows,
                                         const FoldForm& form, const Rng& rng);

}  // namespace logpx::pc
