// What is known of a row before any network: x as networks read it, and the terms of the bound at
// both ends, with their slopes.   [vdm/README 2, 6]
#pragma once

#include "libcore/families/vdm/model.hpp"
#include "libcore/families/vdm/process.hpp"
#include "libcore/families/vdm/training/augmentation.hpp"
#include "libcore/families/vdm/training/learn_options.hpp"
#include "libcore/families/vdm/training/timed_loss.hpp"
#include "libcore/model/task_data.hpp"
#include "libcore/train/phase.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx::vdm {

// Levels 0 .. V-1 to (-1, 1), in place; real numbers stay.
void to_network_values(std::int64_t levels, std::span<float> x);

// Nats of all components, and their slope with respect to the endpoint.
struct EndTerm {
  double nats = 0, slope = 0;
};
[[nodiscard]] EndTerm prior_end_term(double gamma_1, std::span<const float> x);

// -log p(x|z_0), x as networks read it, with z_0 / alpha_0 = x + e^(gamma_0 / 2) noise; for real
// numbers its expectation.
class ReconTerm {
 public:
  ReconTerm(std::int64_t levels, double gamma_0);
  [[nodiscard]] double nats(std::span<const float> x, std::span<const float> noise) const;
  [[nodiscard]] EndTerm with_slope(std::span<const float> x, std::span<const float> noise) const;

 private:
  [[nodiscard]] std::int64_t level_of(float x) const;
  [[nodiscard]] EndTerm of_reals(std::size_t dims) const;
  std::int64_t levels_;
  double gamma_0_, deviation_;
  LevelDecoder decoder_;
};

// z = alpha x + sigma noise of the variance-preserving process.
void mix_noise(const NoiseLevel& level, std::span<const float> x, std::span<const float> noise,
               std::span<float> z);
// <dm/dz, dz/dgamma>
[[nodiscard]] double slope_along(const NoiseLevel& level, std::span<const float> x,
                                 std::span<const float> noise, std::span<const float> by_z);

// The rows of a training step, noised: all that is random in a step, addressed by the row's place.
class StepRows {
 public:
  // Keeps references to model and data; a data error when the model cannot read a row.
  StepRows(const VdmModel& model, const LearnOptions& options, const TaskRows& rows);

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

 private:
  const VdmModel& model_;
  const LearnOptions& options_;
  TrainingRows rows_;
  Augmentation augmentation_;
};

// A data error unless all rows have labels that the model knows.
void require_labels(const Config& config, const TaskRows& rows);

}  // namespace logpx::vdm
