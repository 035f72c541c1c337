// w(gamma), a factor on the loss of each noise level. The loss is then no bound, but samples may be
// better.   [VDM app. K; vdm/README 5.2]
#pragma once

#include "libcore/families/vdm/schedule/noise_curve.hpp"

#include <string>
#include <vector>

namespace logpx::vdm {

struct WeightTable {
  std::vector<double> gamma, w;  // linear between, constant outside
  // A data error that names `subject` unless gamma rises and w is not negative.
  void check(const std::string& subject) const;
};

class LossWeight {
 public:
  // vlb: 1;  simple: DDPM's loss under beta-linear;  sigmoid:b: sigmoid(gamma + b);
  // snr-clip:k: min(SNR, k);  table:FILE, whose table is given. A usage error names --weight.
  explicit LossWeight(const std::string& word, WeightTable table = {});

  [[nodiscard]] bool is_bound() const { return rule_ == Rule::vlb; }
  [[nodiscard]] CurvePoint at(double gamma) const;  // w and its derivative

 private:
  enum class Rule { vlb, simple, sigmoid, snr_clip, table };
  [[nodiscard]] CurvePoint table_at(double gamma) const;
  Rule rule_ = Rule::vlb;
  double number_ = 0;
  WeightTable table_;
};

}  // namespace logpx::vdm
