// What happened at every step of samples, as codes beside them: dims and values in the order in
// which they became known.
#pragma once

#include "libcore/data/row_values.hpp"
#include "libcore/families/arm/sampling/sampler.hpp"
#include "libcore/model/plan.hpp"

#include <cstdint>
#include <vector>

namespace logpx::arm {

class TracedSteps {
 public:
  // `whole`: with the policy of every step. Dims are told by their places in stored rows.
  TracedSteps(const DatasetInfo& rows, std::int64_t count, bool whole);
  void add(const SampledStep& step);
  // Of the first `count` rows.
  void append_to(std::vector<SampleCode>& codes, std::int64_t count) const;

 private:
  std::int64_t dims_;
  bool whole_;
  std::vector<std::int32_t> stored_place_;  // of each dim
  std::vector<std::int32_t> order_, value_;
  std::vector<float> value_prob_, policy_log_prob_, policy_entropy_, classifier_entropy_, policy_;
};

}  // namespace logpx::arm
