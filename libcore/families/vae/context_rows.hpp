// Which dimensions of its rows training takes where pixels see others: their numbers and weights.
// [vae/README 3.4]
#pragma once

#include "libcore/base/index.hpp"
#include "libcore/families/vae/model.hpp"
#include "libcore/model/context_table.hpp"
#include "libcore/model/task_data.hpp"
#include "libcore/train/phase.hpp"

#include <cstdint>
#include <vector>

namespace logpx::vae {

class ContextRows {
 public:
  // For a model with contexts; refers to the rows. What is background is said by the values that
  // are stored, so that it is the same in every epoch.
  ContextRows(const VaeModel& model, const TaskRows& rows);

  // How many dimensions a step may take of this row.
  [[nodiscard]] std::int64_t extent(std::int64_t row) const { return extents_[at(row)]; }
  // After the target: "dims", "weights", and "taken_index".
  void bind(const Shard& shard, GraphInputs& inputs) const;
  [[nodiscard]] std::int64_t bytes() const {
    return std::ssize(extents_) * static_cast<std::int64_t>(sizeof(std::int32_t));
  }

 private:
  TaskRows rows_;
  ContextChoice choice_;
  std::vector<std::int32_t> extents_;
};

}  // namespace logpx::vae
