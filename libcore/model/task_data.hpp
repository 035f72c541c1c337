// The rows that a model is trained on, and those that validate it meanwhile.
#pragma once

#include "libcore/model/model.hpp"

#include <cstdint>
#include <functional>
#include <optional>

namespace logpx {

class RowStore;
struct RowPlace;

// Rows in memory, with the number of the first in their dataset.
struct HeldRows {
  DatasetInfo info;
  Rows rows;
  std::int64_t first = 0;
  [[nodiscard]] Examples examples() const { return {info, rows, first}; }
};

// Rows as a task takes them, whether they are in memory or read when they are needed. Refers to
// them. A row is counted from `first`.
class TaskRows {
 public:
  TaskRows(const Examples& held)
      : info(held.info), count(held.rows.count), first(held.first), held_(&held.rows) {}
  TaskRows(RowStore& store);

  const DatasetInfo& info;
  std::int64_t count, first;

  // All rows in their order, a part at a time.
  void visit(const std::function<void(const Examples&)>& take) const;
  // Rows begin .. end-1, from any thread.
  [[nodiscard]] Rows read(std::int64_t begin, std::int64_t end) const;
  // One of the rows of the step that is made (RowStore::hold).
  [[nodiscard]] RowPlace at(std::int64_t row) const;
  // All at once, for what takes so many bytes besides. A usage error where rows are read in chunks.
  [[nodiscard]] Examples held(std::int64_t besides = 0) const;

  // What must be told the rows of a step; null where they are in memory anyway.
  [[nodiscard]] RowStore* store() const { return store_; }
  [[nodiscard]] std::int64_t bytes() const;

 private:
  const Rows* held_ = nullptr;
  RowStore* store_ = nullptr;
};

struct TaskData {
  TaskRows train;
  std::optional<TaskRows> valid = {};
  [[nodiscard]] std::int64_t bytes() const { return train.bytes() + (valid ? valid->bytes() : 0); }
};

}  // namespace logpx
