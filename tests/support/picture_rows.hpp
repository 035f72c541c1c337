// Pictures of random grey values or colours, and rows as a stream in pieces of any size.
#pragma once

#include "libcore/base/index.hpp"
#include "libcore/base/rng.hpp"
#include "libcore/model/task_data.hpp"

#include <algorithm>
#include <vector>

namespace logpx::testing {

[[nodiscard]] inline HeldRows random_pictures(std::int64_t count, std::vector<std::int64_t> shape,
                                              std::uint32_t sub = 0) {
  HeldRows held;
  held.info.name = "pictures";
  held.info.shape = std::move(shape);
  held.info.levels = 256;
  held.info.value_max = 255;
  held.info.n = held.rows.count = count;
  Cursor words(Rng(5).stream(Stream::test, sub));
  for (std::int64_t i = 0; i < count * held.info.dims(); ++i)
    held.rows.x.push_back(static_cast<std::byte>(words.below(256)));
  return held;
}

class RowPieces final : public RowStream {
 public:
  RowPieces(const HeldRows& held, std::int64_t piece) : held_(held), piece_(piece) {}
  [[nodiscard]] const DatasetInfo& info() const override { return held_.info; }
  [[nodiscard]] bool next(Rows& rows) override {
    if (next_ == held_.rows.count) return false;
    const std::int64_t last = std::min(next_ + piece_, held_.rows.count);
    rows = slice_rows(held_.rows, next_, last);
    next_ = last;
    return true;
  }

 private:
  const HeldRows& held_;
  std::int64_t piece_, next_ = 0;
};

}  // namespace logpx::testing
