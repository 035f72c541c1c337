// Options of training that other families do not have.   [arm/README 4.3]
#pragma once

#include <cstdint>
#include <string>

namespace logpx {
class Fields;
}

namespace logpx::arm {

struct Config;

enum class PlaceDraws { low_discrepancy, iid };

// "FIRST:STEPS": a factor that goes in a straight line from its first value to its last one.
struct FactorCourse {
  double first = 0, last = 0;
  std::int64_t steps = 0;
  [[nodiscard]] double at(std::int64_t step) const {
    if (step >= steps) return last;
    return first + (last - first) * static_cast<double>(step) / static_cast<double>(steps);
  }
};

struct LearnOptions {
  PlaceDraws places = PlaceDraws::low_discrepancy;
  std::int64_t paths = 2;                      // orders drawn for a row in a step
  std::string q_entropy = {}, kl_weight = {};  // courses; empty: 0, and 1, throughout
  double score_clip = 0;                       // 0: none
  std::int64_t warmup_uniform = 0;             // steps

  // What goes with what depends on the model, too.
  void describe(Fields& fields, const Config& model);
  // Usage errors for what contradicts itself or the model.
  void validate(const Config& config) const;
  [[nodiscard]] FactorCourse entropy_course() const;
  [[nodiscard]] FactorCourse kl_course() const;
};

}  // namespace logpx::arm
