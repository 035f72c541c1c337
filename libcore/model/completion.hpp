// Sampling plans that complete rows of which a part is known.
//
//   if (Completion* completion = plan->completion())
//     completion->start_from({.rows = rows, .known = known, .draws = 3});   // before settle()
#pragma once

#include "libcore/model/task_data.hpp"

#include <cstdint>
#include <vector>

namespace logpx {

struct KnownRows {
  HeldRows rows;  // as the model reads them
  // 1 for each place of a stored row whose value stays: [dims], the same for all, or [rows, dims].
  std::vector<std::uint8_t> known = {};
  std::int64_t draws = 1;  // for each row, one after the other
};

class Completion {
 public:
  virtual ~Completion() = default;
  // Samples are then completions of these rows.
  virtual void start_from(KnownRows given) = 0;
};

}  // namespace logpx
