#include "libcore/families/arm/sampling/order_trace.hpp"

#include "libcore/base/index.hpp"

namespace logpx::arm {

TracedSteps::TracedSteps(const DatasetInfo& rows, std::int64_t count, bool whole)
    : dims_(rows.dims()), whole_(whole), stored_place_(at(dims_)) {
  const ChannelsFirst place(rows);
  for (std::size_t i = 0; i < stored_place_.size(); ++i)
    stored_place_[place(i)] = static_cast<std::int32_t>(i);
  const std::size_t all = at(count * dims_);
  order_.assign(all, -1);
  value_.assign(all, -1);
  for (std::vector<float>* numbers :
       {&value_prob_, &policy_log_prob_, &policy_entropy_, &classifier_entropy_})
    numbers->resize(all);
  if (whole) policy_.resize(all * at(dims_));
}

void TracedSteps::add(const SampledStep& step) {
  const std::size_t place = at(step.row * dims_ + step.step);
  order_[place] = stored_place_[step.dim];
  value_[place] = step.value;
  value_prob_[place] = static_cast<float>(step.value_p);
  policy_log_prob_[place] = static_cast<float>(step.log_policy);
  policy_entropy_[place] = static_cast<float>(step.policy_entropy);
  classifier_entropy_[place] = static_cast<float>(step.value_entropy);
  for (std::size_t k = 0; k < (whole_ ? stored_place_.size() : 0); ++k)
    policy_[place * at(dims_) + at(stored_place_[k])] = static_cast<float>(step.policy[k]);
}

void TracedSteps::append_to(std::vector<SampleCode>& codes, std::int64_t count) const {
  const Shape each{dims_};
  const auto add = [&](const char* name, const auto& numbers, const Shape& shape) {
    codes.push_back(
        SampleCode::of(name, shape, std::span(numbers).first(at(count * shape.elements()))));
  };
  add("order", order_, each);
  add("value", value_, each);
  add("value_prob", value_prob_, each);
  add("policy_log_prob", policy_log_prob_, each);
  add("policy_entropy", policy_entropy_, each);
  add("classifier_entropy", classifier_entropy_, each);
  if (whole_) add("policy", policy_, {dims_, dims_});
}

}  // namespace logpx::arm
