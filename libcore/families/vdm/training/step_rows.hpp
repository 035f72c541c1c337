// The rows of a training step, noised: all that is random in a step, addressed by the row's place.
#pragma once

#include "libcore/families/vdm/model.hpp"
#include "libcore/families/vdm/training/augmentation.hpp"
#include "libcore/families/vdm/training/learn_options.hpp"
#include "libcore/families/vdm/training/noised_row.hpp"
#include "libcore/families/vdm/training/timed_loss.hpp"
#include "libcore/model/task_data.hpp"
#include "libcore/train/phase.hpp"

#include <span>
#include <vector>

namespace logpx::vdm {

class StepRows {
 public:
  // Keeps references to model and data; a data error when the model cannot read a row.
  StepRows(const VdmModel& model, const LearnOptions& options, const Examples& examples);

  // Row i of a shard as the network reads it; true if augmentation has changed it.
  bool take(const Shard& shard, std::int64_t i, std::span<float> x) const;
  // u in [0,1)
  [[nodiscard]] double time(const StepPlace& place, std::int64_t row_place) const;
  // Its class, or the number of classes for none.
  [[nodiscard]] std::int32_t label(const Shard& shard, std::int64_t i) const;
  // Standard normals, others for each place and draw.
  enum class Draw { diffusion, first_end, last_end };
  void noise(const StepPlace& place, std::int64_t row_place, Draw draw, std::span<float> out) const;
  void recon_noise(const StepPlace& place, std::int64_t row_place, std::span<float> out) const;
  [[nodiscard]] std::int64_t bytes() const { return rows_.bytes(); }

 private:
  const VdmModel& model_;
  const LearnOptions& options_;
  Examples examples_;
  TrainingRows rows_;
  Augmentation augmentation_;
};

// A data error unless all rows have labels that the model knows.
void require_labels(const Config& config, const Examples& examples);

}  // namespace logpx::vdm
