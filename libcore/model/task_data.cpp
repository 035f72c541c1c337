#include "libcore/model/task_data.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/data/row_store.hpp"

#include <algorithm>

namespace logpx {

TaskRows::TaskRows(RowStore& store)
    : info(store.span().info),
      count(store.span().count),
      first(store.span().first),
      store_(&store) {}

void TaskRows::visit(const std::function<void(const Examples&)>& take) const {
  if (store_ == nullptr || !store_->chunks().any()) return take(held());
  const std::int64_t step = store_->chunks().rows;
  for (std::int64_t begin = 0; begin < count; begin += step) {
    const Rows rows = store_->read(begin, std::min(begin + step, count));
    take({info, rows, first + begin});
    store_->walked(begin + rows.count);
  }
}

Rows TaskRows::read(std::int64_t begin, std::int64_t end) const {
  return store_ == nullptr ? slice_rows(*held_, begin, end) : store_->read(begin, end);
}

RowPlace TaskRows::at(std::int64_t row) const {
  if (store_ == nullptr) return {*held_, row};
  return store_->at(row);
}

Examples TaskRows::held(std::int64_t besides) const {
  if (store_ == nullptr) return {info, *held_, first};
  if (store_->chunks().any()) {
    const std::int64_t with_those = (bytes_of_rows(info, count) + besides) * 3 / 2;
    fail(ErrorKind::usage, "--memory",
         "is too little to hold the rows of " + info.name +
             " at once, as this way of training needs them",
         "--memory " + std::to_string(std::max(memory_for(info, count, {}), with_those)));
  }
  return {info, store_->all(), first};
}

std::int64_t TaskRows::bytes() const {
  return store_ == nullptr ? std::ssize(held_->x) : store_->bytes();
}

}  // namespace logpx
