// What happened at every step of samples, as codes beside them: dims and values in the order in
// which they became known.
#pragma once

#include "libcore/data/row_values.hpp"
#include "libcore/families/arm/sampling/sampler.hpp"
#include "libcore/model/plan.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace logpx::arm {

class TracedSteps {
 public:
  // `whole`: with the policy of every step. Dims are numbered as in stored rows; those of a
  // molecule as it has them: its atoms, then its own pairs. x [count, dims] says how many.
  TracedSteps(const DatasetInfo& rows, const RowForm& form, std::span<const std::int32_t> x,
              bool whole);
  void add(const SampledStep& step);
  // Appends the first `count` rows.
  void append_to(std::vector<SampleCode>& codes, std::int64_t count) const;

 private:
  [[nodiscard]] const std::vector<std::int32_t>& places_of(std::int64_t row) const;
  std::int64_t dims_;
  bool whole_;
  std::vector<std::int64_t> atoms_;                           // of each row
  std::map<std::int64_t, std::vector<std::int32_t>> places_;  // of each dim, by number of atoms
  std::vector<std::int32_t> order_, value_;
  std::vector<float> value_prob_, policy_log_prob_, policy_entropy_, classifier_entropy_, policy_;
};

}  // namespace logpx::arm
