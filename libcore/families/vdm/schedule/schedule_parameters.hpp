// What a schedule learns, as tensors of a model: the parameters of its curve, and its endpoints as
// two free numbers,
//
//   schedule/gamma_0 and schedule/log_gap    gamma_1 = gamma_0 + e^log_gap
//   schedule/b and schedule/w                gamma_0 = b, gamma_1 = b + |w|: learned-linear
//
// [vdm/README 4.2]
#pragma once

#include "libcore/families/vdm/schedule/schedule_options.hpp"
#include "libcore/nn/site.hpp"

#include <optional>
#include <span>
#include <vector>

namespace logpx::vdm {

class ScheduleParameters {
 public:
  // Options must be settled.
  ScheduleParameters(const Site& site, const ScheduleOptions& options, const CurveTable& table);

  // By the values `theta`, a block laid out like the ParamSet.
  [[nodiscard]] NoiseSchedule schedule(const ParamSet& params, std::span<const float> theta) const;
  [[nodiscard]] bool learns_ends() const { return ends_.has_value(); }
  [[nodiscard]] bool learns_curve() const { return !curve_.empty(); }
  [[nodiscard]] bool learns() const { return learns_ends() || learns_curve(); }
  [[nodiscard]] std::size_t curve_size() const { return curve_size_; }

  // Derivatives of the loss by gamma_0 and gamma_1 and by the curve's parameters, one after the
  // other; add_gradient() turns them into those by tensors.
  struct Gradient {
    Endpoints ends = {0, 0};
    std::vector<double> curve = {};
  };
  void add_gradient(const ParamSet& params, std::span<const float> theta, const Gradient& from,
                    std::span<float> gradient) const;

  // After an update: moves an endpoint back that went further than `most` from where it was, or
  // below the floor.
  void limit_step(const ParamSet& params, Endpoints before, double most,
                  std::span<float> theta) const;

 private:
  struct LearnedEnds {
    int first = -1, last = -1;  // tensors
    bool affine = false;        // b and w
    std::optional<double> floor = {};
  };
  [[nodiscard]] Endpoints ends(const ParamSet& params, std::span<const float> theta) const;

  CurveForm form_;
  Endpoints fixed_;
  std::optional<LearnedEnds> ends_;
  std::vector<int> curve_;  // tensors
  std::size_t curve_size_ = 0;
};

}  // namespace logpx::vdm
