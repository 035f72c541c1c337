// The rows of a shard, as the phases of a KAEM's training see them.
#pragma once

#include "libcore/families/kaem/model.hpp"
#include "libcore/train/phase.hpp"

#include <vector>

namespace logpx::kaem {

// x [shard.count, D], the same in all phases of a step.
[[nodiscard]] std::vector<float> rows_of_shard(const KaemModel& model, const TrainingRows& rows,
                                               const Shard& shard);
void take_rows_of_shard(const KaemModel& model, const TrainingRows& rows, const Shard& shard,
                        std::vector<float>& x);
// Whether recon_sq_error is measured. Not for levels, whose means take a sum over all of them.
[[nodiscard]] bool measures_distance(const KaemModel& model);

}  // namespace logpx::kaem
